import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** How many addresses are counted at a time: a caller with more of them can evade the limit, but not exhaust memory. */
const MAX_ADDRESSES = 10_000

/** Counts requests by address, in this process, in windows of one second. */
export function countByAddress(perSecond: number) {
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 })
  const counted = new LRUCache<string, true>({
    max: MAX_ADDRESSES,
    dispose: (_, address, reason) => reason === 'evict' && void limiter.delete(address),
  })
  return (address: string) => {
    counted.set(address, true)
    return consume(limiter, address)
  }
}

/** Counts one request; `wait` in whole seconds, at least 1, since 0 would be too early. */
export async function consume(limiter: RateLimiterMemory, key: string) {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(key)
    return { isRefused: false, left: remainingPoints, wait: wholeSeconds(msBeforeNext) }
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    return { isRefused: true, left: 0, wait: wholeSeconds(refusal.msBeforeNext) }
  }
}

const wholeSeconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1_000))
