import type { TopicMessage } from '../../shared/event-sourcing/ports/topic.ts'
import type { Publication } from '../../shared/event-sourcing/relay.ts'
import { attributesOf } from '../../shared/events/envelope.ts'
import { type Published, publishedKinds } from '../../shared/events/published.ts'
import { BUSINESSES_TOPIC } from '../../shared/runtime/settings/topic-names.ts'
import { plainKinds } from './kinds.ts'

/** What others are notified of by the businesses service. */
export const published: Published = { part: 'businesses', records: publishedKinds(plainKinds) }

/** What the relay publishes for it: docs/events.md describes it to consumers, and says what may change here. */
export const publishedBusinesses: Publication = {
  name: `relay ${BUSINESSES_TOPIC}`,
  toMessage(envelope) {
    const { datacontenttype: _, ...attributes } = attributesOf(envelope)
    const headers = Object.entries(attributes).map(([name, value]) => [`ce_${name}`, String(value)])
    return {
      key: envelope.subject,
      headers: Object.fromEntries(headers) as TopicMessage['headers'],
      value: envelope.data,
    }
  },
}
