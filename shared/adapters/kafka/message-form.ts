import type { IHeaders, KafkaMessage, Message } from 'kafkajs'
import type { TopicMessage } from '../../event-sourcing/ports/topic.ts'

const NEEDED = ['ce_specversion', 'ce_id', 'ce_source', 'ce_type', 'ce_time'] as const
/** What a message may have besides: other attributes, and the signature. */
const OPTIONAL = /^(ce_[a-z0-9]{1,20}|mint-signature)$/

/** CloudEvents' binary mode for Kafka: attributes as headers, the value as JSON. */
export function toKafkaMessage({ key, headers, value }: TopicMessage): Message {
  return { key, value, headers: { ...headers, 'content-type': 'application/json' } }
}

/** What a foreign message lacks becomes `''`, which the handler then rejects with the message at hand. */
export function fromKafkaMessage({ key, headers = {}, value }: Pick<KafkaMessage, 'key' | 'headers' | 'value'>) {
  const given = Object.keys(headers).filter((name) => OPTIONAL.test(name))
  const attributes = Object.fromEntries([...NEEDED, ...given].map((name) => [name, headerText(headers, name)]))
  return {
    key: key?.toString() ?? '',
    headers: attributes as unknown as TopicMessage['headers'],
    value: value?.toString() ?? '',
  } satisfies TopicMessage
}

/** A header's text: the last one if given several times, '' if missing. */
function headerText(headers: IHeaders, name: string): string {
  const value = headers[name]
  const last = Array.isArray(value) ? value.at(-1) : value
  return last?.toString() ?? ''
}
