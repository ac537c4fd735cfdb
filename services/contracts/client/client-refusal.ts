import { LRUCache } from 'lru-cache'
import { isUuidVersion7 } from '../../../shared/calls/ids.ts'
import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import type { ClientRefusal } from '../contract/decide.ts'
import { type ClientSources, orUnavailable } from './business-reader.ts'
import type { Client } from './evolve.ts'

/**
 * Returns why a contract can't be for this client; undefined: it can. Throws StoreUnavailable, and CodedError
 * `unavailable` where only the businesses service could tell and it can't be reached.
 */
export type FindClientRefusal = (clientId: string, context: CommandContext) => Promise<ClientRefusal | undefined>

/** About 2 MB. */
const MAX_CACHED = 10_000

/**
 * Refuses the `id` of a business, which is easily confused with its clientId, and, with `requireKnownClient`, unknown
 * clients. Most other ids need no lookup: ids of businesses are random UUIDs of version 7, so an id that was no
 * business's when it was checked never becomes one.
 */
export function createClientRefusal(
  { view, businesses, logger }: ClientSources,
  requireKnownClient: boolean,
): FindClientRefusal {
  const notBusinessIds = new LRUCache<string, true>({ max: MAX_CACHED })
  const mayBeBusinessId = (id: string): boolean => isUuidVersion7(id) && !notBusinessIds.has(id)

  /** The Client of the business with this id, if the topic has delivered it. */
  async function knownClientOf(businessId: string): Promise<Client | undefined> {
    const query = { where: { businessId }, search: '', limit: 1, offset: 0, withoutTotal: true }
    return (await view.list(query)).rows[0]?.state
  }

  const answerTo = <Answer>(clientId: string, { requestId }: CommandContext, call: Promise<Answer>): Promise<Answer> =>
    orUnavailable(call, { clientId, requestId, logger })

  return async (clientId, context) => {
    if (!requireKnownClient && !mayBeBusinessId(clientId)) return undefined
    if ((await view.get(clientId)) !== undefined) {
      notBusinessIds.set(clientId, true)
      return undefined
    }
    const known = mayBeBusinessId(clientId) ? await knownClientOf(clientId) : undefined
    if (known !== undefined) return { type: 'client-is-business', clientId: known.clientId }
    const isKnown =
      requireKnownClient && (await answerTo(clientId, context, businesses.byClientId(clientId, context))) !== undefined
    if (isKnown) return undefined
    if (mayBeBusinessId(clientId)) {
      const business = await answerTo(clientId, context, businesses.byId(clientId, context))
      if (business !== undefined) return { type: 'client-is-business', clientId: business.clientId }
      notBusinessIds.set(clientId, true)
    }
    return requireKnownClient ? { type: 'client-unknown' } : undefined
  }
}
