import { LRUCache } from 'lru-cache'
import { isUuidVersion7 } from '../../../shared/calls/ids.ts'
import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import type { ClientRefusal } from '../contract/decide.ts'
import { type ClientSources, neededAnswer } from './asked-businesses.ts'
import type { Client } from './evolve.ts'

/**
 * Returns why contracts may not be for this client; undefined: they may. Throws StoreUnavailable, and CodedError
 * `unavailable` where only the businesses service knows and it does not answer.
 */
export type FindClientRefusal = (clientId: string, context: CommandContext) => Promise<ClientRefusal | undefined>

/** That many ids take 2 MB. */
const MAX_REMEMBERED = 10_000

/**
 * Refuses the `id` of a business, which is easily confused with its clientId, and unknown clients if they must be
 * known. Otherwise most ids cost nothing: ids of businesses are random UUIDs of version 7, so one that was not a
 * business's id when it was checked never becomes one later.
 */
export function createClientRefusal(
  { view, businesses, logger }: ClientSources,
  requireKnownClient: boolean,
): FindClientRefusal {
  const ofNoBusiness = new LRUCache<string, true>({ max: MAX_REMEMBERED })
  const mayBeOfBusiness = (id: string): boolean => isUuidVersion7(id) && !ofNoBusiness.has(id)

  /** The Client of the business with this id, if the topic has delivered it. */
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
