import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ProblemError } from './problem.ts'

/** Counts one request of a key and adds the headers; throws rate_limited above the limit. */
export type RateLimit = (keyId: string, headers: Record<string, string>) => Promise<void>

/** Counts one request from an address; throws rate_limited above the limit. */
export type AddressLimit = (address: string) => Promise<void>

/**
 * A limit for each key, counted in this process in windows of one second. Headers as in
 * draft-ietf-httpapi-ratelimit-headers-10: q and w of the policy, r remaining, t seconds to the reset.
 */
export function createRateLimit(perSecond: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 })
  const policy = `"default";q=${perSecond};w=1`
  return async (keyId, headers) => {
    headers['RateLimit-Policy'] = policy
    const { isRefused, left, wait } = await consume(limiter, keyId)
    headers.RateLimit = `"default";r=${left};t=${wait}`
    if (isRefused) throw new ProblemError('rate_limited', { headers: { 'Retry-After': `${wait}` } })
  }
}

/** How many addresses are counted at a time: who has more of them than this gets past the limit, but not into memory. */
const MAX_ADDRESSES = 10_000

/** A limit for each address, counted in the same way. */
export function createAddressLimit(perSecond: number): AddressLimit {
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 })
  const counted = new LRUCache<string, true>({
    max: MAX_ADDRESSES,
    dispose: (_, address, reason) => reason === 'evict' && void limiter.delete(address),
  })
  return async (address) => {
    counted.set(address, true)
    const { isRefused, wait } = await consume(limiter, address)
    const headers = { 'Retry-After': `${wait}` }
    if (isRefused) throw new ProblemError('rate_limited', { detail: TOO_MANY_FROM_ADDRESS, headers })
  }
}

const TOO_MANY_FROM_ADDRESS =
  'Too many requests without a valid API key, or for public paths, from this address. Wait as long as Retry-After says.'

/** Counts one request; `wait` in whole seconds, at least 1: 0 would be too early. */
async function consume(limiter: RateLimiterMemory, key: string) {
  const [isRefused, result] = await limiter.consume(key).then(
    (allowed) => [false, allowed] as const,
    (refusal: unknown) => [true, refusal] as const,
  )
  // What is no refusal is an error.
  if (!(result instanceof RateLimiterRes)) throw result
  const { remainingPoints, msBeforeNext } = result
  return { isRefused, left: isRefused ? 0 : remainingPoints, wait: Math.max(1, Math.ceil(msBeforeNext / 1_000)) }
}
