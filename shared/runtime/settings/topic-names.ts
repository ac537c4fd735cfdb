import type { ServicePart } from '../../kinds/kind.ts'

/** The topic of a kind's records; `many`: the kind's plural. */
export const topicOfKind = (many: string): string => `mint.${many}.v1`

/** Every change to a business, published by the businesses service. */
export const BUSINESSES_TOPIC = topicOfKind('businesses')

/** A topic's name in a namespace, which separates Mints that share one Kafka; the default is `mint`. */
export function topicIn(namespace: string, topic: string): string {
  return namespace === 'mint' ? topic : `${namespace}.${topic}`
}

/** The name of a service's relay checkpoint, up to which its log is published and signed. */
export const relayOf = (part: ServicePart): string => `relay ${part}`
