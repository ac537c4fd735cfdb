import type { LogEvent } from '../../shared/event-sourcing/event.ts'
import type { TopicMessage } from '../../shared/event-sourcing/ports/topic.ts'
import type { Publication } from '../../shared/event-sourcing/relay.ts'
import { BUSINESSES_TOPIC } from '../../shared/runtime/settings/topic-names.ts'
import type { Business } from './business/evolve.ts'
import { businessesView } from './business/view.ts'

/**
 * What is published of a business: its full state after the change; times as RFC 3339. docs/events.md describes it to
 * those outside, and says what may change here.
 */
export interface PublishedBusiness extends Omit<Business, 'createdAt' | 'updatedAt'> {
  readonly createdAt: string
  readonly updatedAt: string
  /** 1 at creation, one more for each change. */
  readonly version: number
}

const SOURCE = 'mint/businesses'

/** By the stored event’s type, whatever version its shape has: the state after it is in today’s shape. */
export const publishedTypes: Readonly<Record<string, string>> = {
  BusinessCreated: 'mint.business.created.v1',
  BusinessEdited: 'mint.business.edited.v1',
}

/** How the businesses service tells the outside what changed. */
export const publishedBusinesses: Publication<Business> = {
  name: `relay ${BUSINESSES_TOPIC}`,
  definition: businessesView,
  toMessage: toBusinessMessage,
}

/** An event of the log, with the business as it stood after it, as the message that is published. */
function toBusinessMessage(event: LogEvent, business: Business): TopicMessage {
  const kind = event.type.replace(/\.v\d+$/, '')
  const type = publishedTypes[kind]
  if (type === undefined) throw new Error(`No published form is defined for ${event.type}.`)
  return {
    key: business.id,
    headers: {
      ce_specversion: '1.0',
      ce_id: `${SOURCE}/${event.position}`,
      ce_source: SOURCE,
      ce_type: type,
      ce_time: rfc3339(event.at),
    },
    value: JSON.stringify(publishedForm(business, event.version)),
  }
}

function publishedForm(business: Business, version: number): PublishedBusiness {
  return { ...business, createdAt: rfc3339(business.createdAt), updatedAt: rfc3339(business.updatedAt), version }
}

function rfc3339(at: number): string {
  return new Date(at).toISOString()
}
