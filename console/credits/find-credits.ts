import type { Json, RecordJson } from '../api/json.ts'
import { creditedBy } from './credit.ts'

/** Reads from the REST API. */
export type Get = (
  path: string,
  options: { readonly query: Readonly<Record<string, string | number | undefined>>; readonly signal: AbortSignal },
) => Promise<{ readonly body: Json }>

/** As many as the API lists at once. */
const MAX_LISTED = 100

/**
 * The newest credits of a contract. No search covers notes, so this reads the notes of contracts that may credit it: those
 * of its client, type and name since it was created. `isCut`: there are more of these.
 */
export async function findCredits(get: Get, contract: RecordJson, signal: AbortSignal) {
  const { id, clientId, serviceType, serviceName: search, createdAt: updatedSince } = contract
  const query = { clientId, serviceType, search, updatedSince, limit: MAX_LISTED }
  const { contracts, total } = (await get('contracts', { query, signal })).body
  const credits: readonly RecordJson[] = contracts.filter((one: RecordJson) => creditedBy(one) === String(id))
  return { credits, isCut: total > MAX_LISTED }
}
