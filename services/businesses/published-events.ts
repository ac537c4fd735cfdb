import type { LogEvent } from '../../shared/event-sourcing/event.ts'
import type { TopicMessage } from '../../shared/event-sourcing/ports/topic.ts'
import type { Publication } from '../../shared/event-sourcing/relay.ts'
import { formatTimestamp } from '../../shared/fields/timestamp.ts'
import { BUSINESSES_TOPIC } from '../../shared/runtime/settings/topic-names.ts'
import type { Business } from './business/evolve.ts'
import { businessesView } from './business/kind.ts'

/**
 * What is published about a business: its full state after the change, with times in RFC 3339. docs/events.md describes
 * it to consumers, and says what may change here.
 */
export interface PublishedBusiness extends Omit<Business, 'createdAt' | 'updatedAt'> {
  readonly createdAt: string
  readonly updatedAt: string
  /** 1 at creation, incremented by each change. */
  readonly version: number
}

const SOURCE = 'mint/businesses'

/** By type of the stored event, whatever its schema version: the state that is published always has today’s shape. */
export const publishedTypes: Readonly<Record<string, string>> = {
  BusinessCreated: 'mint.business.created.v1',
  BusinessEdited: 'mint.business.edited.v1',
}

/** What the relay publishes for the businesses service. */
export const publishedBusinesses: Publication<Business> = {
  name: `relay ${BUSINESSES_TOPIC}`,
  definition: businessesView,
  toMessage: toBusinessMessage,
}

/** Builds the published message from an event of the log and the business after it. */
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
      ce_time: formatTimestamp(event.at),
    },
    value: JSON.stringify(publishedForm(business, event.version)),
  }
}

function publishedForm(business: Business, version: number): PublishedBusiness {
  return {
    ...business,
    createdAt: formatTimestamp(business.createdAt),
    updatedAt: formatTimestamp(business.updatedAt),
    version,
  }
}
