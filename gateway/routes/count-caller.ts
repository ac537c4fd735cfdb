import type { IncomingMessage } from 'node:http'
import type { ApiKeys, Caller } from '../../shared/api-keys/serving/api-keys.ts'
import { knownCaller } from '../../shared/api-keys/serving/find-caller.ts'
import type { MemoryBudget } from '../../shared/budget/budget.ts'
import { authenticate } from '../authenticate.ts'
import { addressOf } from '../http/client-address.ts'
import { malformedHeader } from '../http/entity-tags.ts'
import { countHeader, type Exchange } from '../http/exchange.ts'
import type { Limits } from '../limits.ts'
import { COUNTED } from '../openapi/headers.ts'
import { ProblemError } from '../problem.ts'

/** What callers are known by, and counted in. */
export interface Counting {
  readonly apiKeys: Pick<ApiKeys, 'known' | 'find'>
  readonly limits: Limits
  readonly budget: MemoryBudget
}

/** The caller and what they may hold, once the request is counted against their key. Throws what findCaller throws, and rate_limited. */
export async function countCaller(req: IncomingMessage, exchange: Exchange, { apiKeys, limits, budget }: Counting) {
  const authorization = onlyAuthorization(req)
  // Not awaited without need: nearly every request has a key that memory knows.
  const key = knownCaller(authorization, apiKeys) ?? (await authenticate(authorization, apiKeys))
  await limits.countKey(key, exchange)
  return { key, share: budget.ofKey(key.principal) }
}

/** The same for whoever calls without a key, known by their address. Throws rate_limited. */
export async function countStranger(req: IncomingMessage, exchange: Exchange, { limits, budget }: Counting) {
  await limits.countStranger(req, exchange)
  const address = addressOf(req)
  const key: Caller = { id: address, kind: 'program', principal: address, name: '', scopes: [] }
  return { key, share: budget.ofAddress(address) }
}

/** After waiting: the key may have been revoked meanwhile. Its refusal is then the same as if it had come later. */
export async function authenticateAgain(
  req: IncomingMessage,
  exchange: Exchange,
  { apiKeys }: Pick<Counting, 'apiKeys'>,
) {
  try {
    await authenticate(onlyAuthorization(req), apiKeys)
  } catch (error) {
    if (error instanceof ProblemError) for (const name of COUNTED) Reflect.deleteProperty(exchange.headers, name)
    throw error
  }
}

/** The Authorization header. Throws validation_failed if there are two: a proxy may have checked the other. */
function onlyAuthorization({ headers, rawHeaders }: IncomingMessage): string | undefined {
  if (countHeader(rawHeaders, 'authorization') <= 1) return headers.authorization
  throw new ProblemError('validation_failed', { errors: [malformedHeader('Authorization', 'Give it once.')] })
}
