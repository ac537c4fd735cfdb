import type { IncomingMessage } from 'node:http'
import type { ApiKeys, Caller } from '../shared/api-keys/serving/api-keys.ts'
import { knownCaller } from '../shared/api-keys/serving/find-caller.ts'
import { type CountCall, countPerSecond } from '../shared/calls/count-per-second.ts'
import { addressOf } from './http/client-address.ts'
import type { Exchange } from './http/exchange.ts'
import { ProblemError } from './problem.ts'

export interface LimitsOptions {
  readonly apiKeys: Pick<ApiKeys, 'known'>
  readonly rateLimitPerSecond: number
  /** Counts against that limit; given where gRPC calls share it. */
  readonly countKey?: CountCall
  /** For each address: requests without a valid key, and those to public paths. */
  readonly publicRateLimitPerSecond: number
}

/** The rate limits; every request counts once. */
export type Limits = ReturnType<typeof createLimits>

/** With these, no cache stores an answer to a valid key, and no browser takes it for another type. */
const PRIVATE = { 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' }

/** A window lasts one second. */
const RETRY = { 'Retry-After': '1' }

const TOO_MANY_FROM_ADDRESS =
  'Too many requests without a valid API key, or for public paths, from this address. Wait as long as Retry-After says.'

/** Creates limits that are counted in this process. */
export function createLimits({
  rateLimitPerSecond,
  publicRateLimitPerSecond,
  countKey = countPerSecond(rateLimitPerSecond),
  apiKeys,
}: LimitsOptions) {
  const policy = `"default";q=${rateLimitPerSecond};w=1`
  const countOfAddress = countPerSecond(publicRateLimitPerSecond)

  /**
   * Counts by key. Headers as in draft-ietf-httpapi-ratelimit-headers-10: q and w of the policy, r remaining, t seconds
   * to the reset.
   */
  function limitKey(principal: string, headers: Record<string, string>): void {
    const { isRefused, left } = countKey(principal)
    headers['RateLimit-Policy'] = policy
    headers.RateLimit = `"default";r=${left};t=1`
    if (isRefused) throw new ProblemError('rate_limited', { headers: RETRY })
  }

  /** Counts a request against its address. Throws rate_limited. */
  function countAddress(req: IncomingMessage, exchange: Exchange): void {
    exchange.counted = true
    if (!countOfAddress(addressOf(req)).isRefused) return
    throw new ProblemError('rate_limited', { detail: TOO_MANY_FROM_ADDRESS, headers: RETRY })
  }

  return {
    /** Counts a request against its key; adds the rate-limit and privacy headers. Throws rate_limited. */
    countKey(key: Caller, exchange: Exchange): void {
      exchange.counted = true
      limitKey(key.principal, Object.assign(exchange.headers, PRIVATE))
    },
    countAddress,
    /** Counts a request that takes no key, but whose answer is only for its caller. Throws rate_limited. */
    countKeyless(req: IncomingMessage, exchange: Exchange): void {
      Object.assign(exchange.headers, PRIVATE)
      countAddress(req, exchange)
    },
    /**
     * Counts a request that was refused before it was counted: against its key if it has a valid one, else against its
     * address. Returns the error for the caller: the one given, or rate_limited.
     */
    countRefused(req: IncomingMessage, exchange: Exchange, error: unknown): unknown {
      if (exchange.counted || !(error instanceof ProblemError)) return error
      const key = knownCaller(exchange.secretHash, apiKeys)
      if (key) Object.assign(exchange.headers, PRIVATE)
      try {
        // Only answers of endpoints carry rate-limit headers.
        if (key) limitKey(key.principal, {})
        else countAddress(req, exchange)
        return error
      } catch (limited) {
        return limited
      }
    },
  }
}
