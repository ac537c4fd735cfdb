import type { Statements } from '../statements.ts'
import { HIGHEST_KEY, type ViewTables } from '../views/view-tables.ts'
import type { CountedSlice, CountedSlices } from './slice-memory.ts'

/** An entry of a view's counts: at most 2,048 rows lie between two. */
export interface Entry {
  readonly first: bigint
  readonly rows: number
  /** Grows with every row written there. */
  readonly changes: number
}

/** The keys from one entry of the counts to another. */
export interface Slice {
  readonly lower: bigint
  readonly upper: bigint
  readonly entries: number
  /** How many rows of the view it spans, matching or not. */
  readonly spanned: number
  readonly changes: number
}

/** The entries of the counts, highest first. */
export function entriesOf(statements: Statements, { counts }: ViewTables): Entry[] {
  const found = statements.withBigInts(`SELECT first, rows, changes FROM ${counts} ORDER BY first DESC`).all()
  return found.map(({ first, rows, changes }) => ({
    first: first as bigint,
    rows: Number(rows),
    changes: Number(changes),
  }))
}

/** So many entries from one of them on, or as many as there are. */
export function sliceOf(entries: readonly Entry[], at: number, span: number): Slice {
  const spanned = entries.slice(at, at + span)
  return {
    lower: spanned.at(-1)?.first ?? HIGHEST_KEY,
    upper: highestAt(entries, at),
    entries: spanned.length,
    spanned: spanned.reduce((sum, { rows }) => sum + rows, 0),
    changes: spanned.reduce((sum, { changes }) => sum + changes, 0),
  }
}

/** The slice that was counted from this entry on, when nothing was written in it since. */
export function knownSlice(known: CountedSlices, entries: readonly Entry[], at: number): CountedSlice | undefined {
  const counted = known.get(highestAt(entries, at))
  if (counted === undefined) return undefined
  const { lower, changes } = sliceOf(entries, at, counted.entries)
  return lower === counted.lower && changes === counted.changes ? counted : undefined
}

/**
 * How many entries to count together: about `span`, and so that the slice ends where the next known one begins. Else
 * one more entry among the newest would put all the others out of step.
 */
export function spanUpToKnown(known: CountedSlices, entries: readonly Entry[], at: number, span: number): number {
  for (let end = at + 1; end < entries.length && end - at <= 2 * span; end++) {
    if (known.has(highestAt(entries, end))) return end - at
  }
  return span
}

function highestAt(entries: readonly Entry[], at: number): bigint {
  const above = entries[at - 1]
  return above ? above.first - 1n : HIGHEST_KEY
}
