import { LRUCache } from 'lru-cache'
import { isUuidVersion7 } from '../../../shared/calls/ids.ts'
import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import type { ClientRefusal } from '../contract/decide.ts'
import { neededAnswer } from './asked-businesses.ts'
import type { Client } from './evolve.ts'
import type { ClientQueriesOptions } from './queries.ts'

/**
 * Why contracts may not be for this client; undefined: they may. Throws StoreUnavailable, and CodedError `unavailable`
 * where only the businesses service could tell and does not.
 */
export type FindClientRefusal = (clientId: string, context: CommandContext) => Promise<ClientRefusal | undefined>

/** So many ids take 2 MB. */
const MAX_REMEMBERED = 10_000

/**
 * Refuses the `id` of a business, which is easily taken for its clientId, and unknown clients where they must be known.
 * Else most ids cost nothing: businesses have random UUIDs of version 7, so that a text that was asked about never
 * becomes the id of one later.
 */
export function createClientRefusal(
  { view, businesses, logger }: ClientQueriesOptions,
  requireKnownClient: boolean,
): FindClientRefusal {
  const ofNoBusiness = new LRUCache<string, true>({ max: MAX_REMEMBERED })
  const mayBeOfBusiness = (id: string): boolean => isUuidVersion7(id) && !ofNoBusiness.has(id)

  /** The Client of the business with this id, if the topic has brought it. */
  async function knownClientOf(businessId: string): Promise<Client | undefined> {
    const query = { where: { businessId }, search: '', limit: 1, offset: 0, withoutTotal: true }
    return (await view.list(query)).rows[0]?.state
  }

  const asked = <Answer>(clientId: string, { requestId }: CommandContext, call: Promise<Answer>): Promise<Answer> =>
    neededAnswer(call, { clientId, requestId, logger })

  return async (clientId, context) => {
    if (!requireKnownClient && !mayBeOfBusiness(clientId)) return undefined
    if ((await view.get(clientId)) !== undefined) {
      ofNoBusiness.set(clientId, true)
      return undefined
    }
    const known = mayBeOfBusiness(clientId) ? await knownClientOf(clientId) : undefined
    if (known !== undefined) return { type: 'client-is-business', clientId: known.clientId }
    const isKnown =
      requireKnownClient && (await asked(clientId, context, businesses.byClientId(clientId, context))) !== undefined
    if (isKnown) return undefined
    if (mayBeOfBusiness(clientId)) {
      const business = await asked(clientId, context, businesses.byId(clientId, context))
      if (business !== undefined) return { type: 'client-is-business', clientId: business.clientId }
      ofNoBusiness.set(clientId, true)
    }
    return requireKnownClient ? { type: 'client-unknown' } : undefined
  }
}
