import type { TopicMessage } from '../event-sourcing/ports/topic.ts'
import { attributesOf, type Envelope } from './envelope.ts'
import type { Published } from './published.ts'
import { EVENT_TYPES } from './types.ts'

/** The topic that events of a type are published on. */
function topicOf(type: string): string {
  const known = EVENT_TYPES[type]
  if (known === undefined) throw new Error(`No topic is defined for ${type}.`)
  return known.topic
}

/** The topics that a service publishes, each with the categories whose events are published on it. */
export function topicsOf({ records }: Published): ReadonlyMap<string, readonly string[]> {
  const byTopic = Map.groupBy(records, ({ types: [type] }) => topicOf(type))
  return new Map([...byTopic].map(([topic, own]) => [topic, own.map(({ view }) => view.category)]))
}

/** The message of an event. docs/events.md describes it to consumers, and says what may change. */
export function toMessage(envelope: Envelope): { readonly topic: string; readonly message: TopicMessage } {
  const { datacontenttype: _, ...attributes } = attributesOf(envelope)
  const headers = Object.entries(attributes).map(([name, value]) => [`ce_${name}`, String(value)])
  const message = {
    key: envelope.subject,
    headers: Object.fromEntries(headers) as TopicMessage['headers'],
    value: envelope.data,
  }
  return { topic: topicOf(envelope.type), message }
}
