import { RateLimiterMemory } from 'rate-limiter-flexible'
import { consume } from './count-by-address.ts'

/** Counts one call against a key, by its id. */
export type CountByKey = ReturnType<typeof countByKey>

/** Counts calls by key in windows of one second: one count for whatever a process offers, over REST and gRPC. */
export function countByKey(perSecond: number) {
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 })
  return (keyId: string) => consume(limiter, keyId)
}
