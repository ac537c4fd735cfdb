import type { Json, RecordJson } from '../api/json.ts'
import { creditedBy } from './credit.ts'

/** Reads from the REST API. */
export type Get = (
  path: string,
  options: { readonly query: Readonly<Record<string, string | number | undefined>>; readonly signal: AbortSignal },
) => Promise<{ readonly body: Json }>

/** As many as the API lists at once. */
const MOST = 100

/**
 * The newest credits of a contract. No search covers notes, so those are read of what is likely to credit it: contracts
 * of its client, type and name since it was created. `isCut`: there are more of these.
 */
export async function findCredits(get: Get, contract: RecordJson, signal: AbortSignal) {
  const { id, clientId, serviceType, serviceName: search, createdAt: updatedSince } = contract
  const query = { clientId, serviceType, search, updatedSince, limit: MOST }
  const { contracts, total } = (await get('contracts', { query, signal })).body
  const credits: readonly RecordJson[] = contracts.filter((one: RecordJson) => creditedBy(one) === String(id))
  return { credits, isCut: total > MOST }
}
