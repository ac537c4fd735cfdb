import type { EarlierWrite } from '../../../shared/kinds/record-methods.ts'
import { ProblemError } from '../../problem.ts'
import type { RowToWrite } from './write-rows.ts'

/** How many rows are searched in one call. */
const AT_ONCE = 1_000

/** What writing rows would be answered with; writes nothing. Throws idempotency_key_reused. */
export async function tryRows(
  rows: readonly RowToWrite<unknown>[],
  findEarlier: (rows: readonly RowToWrite<unknown>[]) => Promise<readonly EarlierWrite[]>,
): Promise<{ rows: number; created: number; replayed: number }> {
  const pending = rows.filter(({ fields }) => fields !== undefined)
  let replayed = rows.length - pending.length
  // If any written row is known, all of them are.
  if (replayed > 0) return { rows: rows.length, created: pending.length, replayed }
  for (let next = 0, count = 1; next < pending.length; next += count, count = AT_ONCE) {
    const earlier = await findEarlier(pending.slice(next, next + count))
    if (earlier.some(({ keyReused }) => keyReused)) throw new ProblemError('idempotency_key_reused')
    replayed += earlier.filter((row) => row.replayed).length
    // The first row is written before all others, so without it there is nothing of this file.
    if (replayed === 0) break
  }
  return { rows: rows.length, created: rows.length - replayed, replayed }
}
