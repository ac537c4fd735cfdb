/** Every change of a business, published by the businesses service. */
export const BUSINESSES_TOPIC = 'mint.businesses.v1'

/** The topic of a Mint that shares its Kafka with others: each has a namespace of its own, `mint` by default. */
export function businessesTopic(namespace: string): string {
  return namespace === 'mint' ? BUSINESSES_TOPIC : `${namespace}.${BUSINESSES_TOPIC}`
}
