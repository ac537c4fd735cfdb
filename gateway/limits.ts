import type { IncomingMessage } from 'node:http'
import type { ApiKeys, Caller } from '../shared/api-keys/serving/api-keys.ts'
import { knownCaller } from '../shared/api-keys/serving/find-caller.ts'
import { type CountByKey, countByKey } from '../shared/calls/count-by-key.ts'
import { addressOf } from './http/client-address.ts'
import type { Exchange } from './http/exchange.ts'
import { ProblemError } from './problem.ts'
import { createAddressLimit, createRateLimit } from './rate-limit.ts'

export interface LimitsOptions {
  readonly apiKeys: Pick<ApiKeys, 'known'>
  readonly rateLimitPerSecond: number
  /** Counts by that limit; given where calls over gRPC count in it, too. */
  readonly countKey?: CountByKey
  /** Applies to each address without a valid key, and on public paths. */
  readonly publicRateLimitPerSecond: number
}

/** The rate limits; every request counts once. */
export type Limits = ReturnType<typeof createLimits>

/** Under a valid key no cache may store an answer, and no browser may take it for another type. */
const PRIVATE = { 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' }

/** Creates limits that are counted in this process. */
export function createLimits({
  rateLimitPerSecond,
  publicRateLimitPerSecond,
  countKey = countByKey(rateLimitPerSecond),
  apiKeys,
}: LimitsOptions) {
  const limitKey = createRateLimit(rateLimitPerSecond, countKey)
  const limitAddress = createAddressLimit(publicRateLimitPerSecond)

  /** Counts a request against its address. Throws rate_limited. */
  async function countAddress(req: IncomingMessage, exchange: Exchange): Promise<void> {
    exchange.counted = true
    await limitAddress(addressOf(req))
  }

  return {
    /** Counts a request against its key; adds the headers of the limit and of privacy. Throws rate_limited. */
    countKey(key: Caller, exchange: Exchange): Promise<void> {
      exchange.counted = true
      return limitKey(key.principal, Object.assign(exchange.headers, PRIVATE))
    },
    countAddress,
    /** Counts a request that takes no key, but whose answer is for its caller alone. Throws rate_limited. */
    async countStranger(req: IncomingMessage, exchange: Exchange): Promise<void> {
      Object.assign(exchange.headers, PRIVATE)
      await countAddress(req, exchange)
    },
    /**
     * Counts a request that was refused before it was counted: against its key if it has a valid one, else against its
     * address. Returns the error for the caller: the one given, or rate_limited.
     */
    async countRefused(req: IncomingMessage, exchange: Exchange, error: unknown): Promise<unknown> {
      if (exchange.counted || !(error instanceof ProblemError)) return error
      const key = knownCaller(req.headers.authorization, apiKeys)
      try {
        // Only answers of endpoints carry the headers of a limit.
        if (key) Object.assign(exchange.headers, PRIVATE)
        await (key ? limitKey(key.principal, {}) : countAddress(req, exchange))
        return error
      } catch (limited) {
        return limited
      }
    },
  }
}
