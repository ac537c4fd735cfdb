/** Every change of a business, published by the businesses service. */
export const BUSINESSES_TOPIC = 'mint.businesses.v1'
