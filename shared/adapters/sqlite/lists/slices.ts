import type { Statements } from '../file/statements.ts'
import { HIGHEST_KEY, type ViewTables } from '../views/view-tables.ts'

/** A range of keys, inclusive. */
export interface KeyRange {
  readonly lower: bigint
  readonly upper: bigint
}

/** An entry of a view's counts: the keys from its first up to the next entry's, with at most 2,048 rows. */
interface CountedRange extends KeyRange {
  readonly rows: number
}

/** Scanning this many takes 2 to 3 ms, whatever the conditions. */
const ENTRIES_PER_SLICE = 8

/** The keys of a view in slices that are scanned in a few milliseconds each, newest first. */
export function slicesOf(statements: Statements, tables: ViewTables): KeyRange[] {
  const entries = entriesOf(statements, tables)
  return Array.from({ length: Math.ceil(entries.length / ENTRIES_PER_SLICE) }, (_, n) => {
    const [newest, ...others] = entries.slice(n * ENTRIES_PER_SLICE, (n + 1) * ENTRIES_PER_SLICE) as [CountedRange]
    return { lower: (others.at(-1) ?? newest).lower, upper: newest.upper }
  })
}

/** The entries of the counts, highest first. */
export function entriesOf(statements: Statements, { counts }: ViewTables): CountedRange[] {
  const sql = `SELECT first, rows FROM ${counts} ORDER BY first DESC`
  const found = statements.asBigIntArrays<[first: bigint, rows: bigint]>(sql).all()
  let upper = HIGHEST_KEY
  return found.map(([lower, rows]) => {
    const entry = { lower, upper, rows: Number(rows) }
    upper = lower - 1n
    return entry
  })
}
