import type { IHeaders, KafkaMessage, Message } from 'kafkajs'
import type { TopicMessage } from '../../event-sourcing/ports/topic.ts'

const REQUIRED = ['ce_specversion', 'ce_id', 'ce_source', 'ce_type', 'ce_time'] as const
/** Further headers that a message may have: other attributes, and the signature. */
const OPTIONAL = /^(ce_[a-z0-9]{1,20}|mint-signature)$/

/** CloudEvents' binary mode for Kafka: attributes as headers, the value as JSON. */
export function toKafkaMessage({ key, headers, value }: TopicMessage): Message {
  return { key, value, headers: { ...headers, 'content-type': 'application/json' } }
}

/** A header that a foreign message lacks becomes `''`, so that the handler, which knows the message, rejects it. */
export function fromKafkaMessage({ key, headers = {}, value }: Pick<KafkaMessage, 'key' | 'headers' | 'value'>) {
  const given = Object.keys(headers).filter((name) => OPTIONAL.test(name))
  const attributes = Object.fromEntries([...REQUIRED, ...given].map((name) => [name, headerText(headers, name)]))
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
