import type { ServicePart } from '../../kinds/kind.ts'

/** The topic of a kind's records; `many`: the word for several of them. */
export const topicOfKind = (many: string): string => `mint.${many}.v1`

/** Every change of a business, published by the businesses service. */
export const BUSINESSES_TOPIC = topicOfKind('businesses')

/** A topic's name in a namespace, which keeps Mints that share one Kafka apart; the default is `mint`. */
export function topicIn(namespace: string, topic: string): string {
  return namespace === 'mint' ? topic : `${namespace}.${topic}`
}

/** The name of the checkpoint up to which a service's log is published, signed. */
export const relayOf = (part: ServicePart): string => `relay ${part}`
