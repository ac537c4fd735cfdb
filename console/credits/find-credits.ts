import type { Json, RecordJson } from '../api/json.ts'
import { creditedBy } from './credit.ts'

/** Reads from the REST API. */
export type Get = (
  path: string,
  options: { readonly query: Readonly<Record<string, string | number | undefined>>; readonly signal: AbortSignal },
) => Promise<{ readonly body: Json }>

const PAGE = 100
/** A weekly service of ten years; more than anybody waits for is not read. */
const MOST_PAGES = 5

interface Credits {
  /** Newest first. */
  readonly credits: readonly RecordJson[]
  /** Whether there may be older ones. */
  readonly isCut: boolean
}

/**
 * The credits of a contract. No search covers notes, so those are read of what is likely to credit it: contracts of its
 * client, type and name since it was created.
 */
export async function findCredits(get: Get, contract: RecordJson, signal: AbortSignal): Promise<Credits> {
  const { id, clientId, serviceType, serviceName, createdAt } = contract
  const filters = { clientId, serviceType, search: serviceName, updatedSince: createdAt, limit: PAGE }
  const read: RecordJson[] = []
  for (let page = 0, after: number | undefined; page < MOST_PAGES; page += 1) {
    const { body } = await get('contracts', { query: { ...filters, after }, signal })
    read.push(...body.contracts)
    after = read.at(-1)?.id
    if (body.contracts.length < PAGE) break
  }
  const isCut = read.length === PAGE * MOST_PAGES
  return { credits: read.filter((one) => creditedBy(one) === String(id)), isCut }
}
