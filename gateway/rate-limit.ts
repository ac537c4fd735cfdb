import { countByAddress } from '../shared/calls/count-by-address.ts'
import type { CountByKey } from '../shared/calls/count-by-key.ts'
import { ProblemError } from './problem.ts'

/** Counts one request against a principal and adds the headers; throws rate_limited above the limit. */
export type RateLimit = (principal: string, headers: Record<string, string>) => Promise<void>

/** Counts one request against an address; throws rate_limited above the limit. */
export type AddressLimit = (address: string) => Promise<void>

/**
 * A limit for each principal, counted in this process in windows of one second. Headers as in
 * draft-ietf-httpapi-ratelimit-headers-10: q and w of the policy, r remaining, t seconds to the reset.
 */
export function createRateLimit(perSecond: number, count: CountByKey): RateLimit {
  const policy = `"default";q=${perSecond};w=1`
  return async (principal, headers) => {
    headers['RateLimit-Policy'] = policy
    const { isRefused, left, wait } = await count(principal)
    headers.RateLimit = `"default";r=${left};t=${wait}`
    if (isRefused) throw new ProblemError('rate_limited', { headers: { 'Retry-After': `${wait}` } })
  }
}

/** A limit for each address, counted in the same way. */
export function createAddressLimit(perSecond: number): AddressLimit {
  const count = countByAddress(perSecond)
  return async (address) => {
    const { isRefused, wait } = await count(address)
    const headers = { 'Retry-After': `${wait}` }
    if (isRefused) throw new ProblemError('rate_limited', { detail: TOO_MANY_FROM_ADDRESS, headers })
  }
}

const TOO_MANY_FROM_ADDRESS =
  'Too many requests without a valid API key, or for public paths, from this address. Wait as long as Retry-After says.'
