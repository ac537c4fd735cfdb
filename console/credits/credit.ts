import Big from 'big.js'
import type { Json, RecordJson } from '../api/json.ts'
import { text } from '../languages/texts.ts'

/** How a credit's note names its contract, in each language; people may add text around it. */
const NOTE = /\b(?:Credit for contract|Gutschrift zu Leistung|Avoir sur la prestation) ([1-9]\d{0,15})\b/

/** A new contract that reverses another one. Its note links the two. */
export function creditOf({ id, ...contract }: RecordJson, serviceDate: string): RecordJson {
  const serviceFee = new Big(contract.serviceFee).neg().toFixed()
  return { ...contract, serviceFee, serviceDate, notes: text('credits.note', { id: String(id) }) }
}

/** The number of the contract that this one credits; undefined: it is not a credit. */
export function creditedBy({ notes }: RecordJson): string | undefined {
  return NOTE.exec(notes)?.[1]
}

/** What the credits among other contracts leave of a contract's fee, exact. */
export function uncreditedFee({ id, serviceFee }: RecordJson, others: readonly RecordJson[]): Big {
  const credits = others.filter((one) => creditedBy(one) === String(id))
  return credits.reduce((left: Big, credit) => left.plus(credit.serviceFee), new Big(serviceFee))
}

/** Reads from the REST API. */
export type Get = (
  path: string,
  options: { readonly query: Readonly<Record<string, string | number | undefined>>; readonly signal: AbortSignal },
) => Promise<Json>

/** As many as the API lists at once. */
const MAX_LISTED = 100

/**
 * The newest credits of a contract. No search covers notes, so this reads the notes of contracts that may credit it: the
 * newest of its client, type and name that were created or changed since.
 */
export async function findCredits(get: Get, contract: RecordJson, signal: AbortSignal): Promise<readonly RecordJson[]> {
  const { id, clientId, serviceType, serviceName: search, createdAt: updatedSince } = contract
  const query = { clientId, serviceType, search, updatedSince, limit: MAX_LISTED }
  const { contracts } = await get('contracts', { query, signal })
  return contracts.filter((one: RecordJson) => creditedBy(one) === String(id))
}
