import type { Statements } from '../statements.ts'
import { HIGHEST_KEY, type ViewTables } from '../views/view-tables.ts'
import type { KeyRange } from './matches.ts'
import type { CountedSlice, CountedSlices } from './slice-memory.ts'

/** An entry of a view's counts: the keys from its first to the next one's, with at most 2,048 rows. */
export interface Entry extends KeyRange {
  readonly rows: number
  /** Grows with every row written there. */
  readonly changes: number
}

/** Some entries of the counts that lie side by side. */
export interface Slice extends KeyRange {
  /** Highest first. */
  readonly entries: readonly Entry[]
  /** How many rows of the view it spans, matching or not. */
  readonly rows: number
  readonly changes: number
}

/** The entries of the counts, highest first. */
export function entriesOf(statements: Statements, { counts }: ViewTables): Entry[] {
  const found = statements.asBigIntArrays(`SELECT first, rows, changes FROM ${counts} ORDER BY first DESC`).all()
  let upper = HIGHEST_KEY
  return (found as unknown as [bigint, bigint, bigint][]).map(([lower, rows, changes]) => {
    const entry = { lower, upper, rows: Number(rows), changes: Number(changes) }
    upper = lower - 1n
    return entry
  })
}

/** So many entries from one of them on, or as many as there are. */
export function sliceOf(all: readonly Entry[], at: number, span: number): Slice {
  const entries = all.slice(at, at + span)
  return {
    lower: entries.at(-1)?.lower ?? HIGHEST_KEY,
    upper: entries[0]?.upper ?? HIGHEST_KEY,
    entries,
    rows: entries.reduce((sum, { rows }) => sum + rows, 0),
    changes: entries.reduce((sum, { changes }) => sum + changes, 0),
  }
}

/** The slice that was counted from this entry on, when nothing was written in it since. */
export function knownSlice(known: CountedSlices, all: readonly Entry[], at: number): CountedSlice | undefined {
  const counted = known.get(all[at]?.upper ?? HIGHEST_KEY)
  if (counted === undefined) return undefined
  const { lower, changes } = sliceOf(all, at, counted.entries)
  return lower === counted.lower && changes === counted.changes ? counted : undefined
}

/**
 * How many entries to count together: about `span`, and so that the slice ends where the next known one begins. Else
 * one more entry among the newest would put all the others out of step.
 */
export function spanUpToKnown(known: CountedSlices, all: readonly Entry[], at: number, span: number): number {
  for (let end = at + 1; end < all.length && end - at <= 2 * span; end++) {
    const entry = all[end]
    if (entry && known.has(entry.upper)) return end - at
  }
  return span
}
