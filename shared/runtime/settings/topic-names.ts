/** Every change of a business, published by the businesses service. */
export const BUSINESSES_TOPIC = 'mint.businesses.v1'

/** The topic's name in a namespace, which keeps Mints that share one Kafka apart; the default is `mint`. */
export function businessesTopic(namespace: string): string {
  return namespace === 'mint' ? BUSINESSES_TOPIC : `${namespace}.${BUSINESSES_TOPIC}`
}
