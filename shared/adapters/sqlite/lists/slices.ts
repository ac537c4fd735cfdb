import type { Statements } from '../file/statements.ts'
import { HIGHEST_KEY, LOWEST_KEY, type ViewTables } from '../views/view-tables.ts'

/** A range of keys, inclusive. */
export interface KeyRange {
  readonly lower: bigint
  readonly upper: bigint
}

/** An entry of a view's counts: the keys from its first up to the next entry's, with at most 2,048 rows. */
interface CountedRange extends KeyRange {
  readonly rows: number
}

/** Adjacent entries of the counts, and the ranges in which they are scanned, highest first. */
export interface Slice extends KeyRange {
  readonly scans: readonly KeyRange[]
}

/**
 * The search index is opened once per slice (0.1 ms for each three characters of the term): a million rows are 8
 * slices. With slices of half that size a phrase of 18 characters took 28 ms instead of 15.
 */
const ENTRIES_PER_SLICE = 128
/** Scanning this many takes 2 to 3 ms, whatever the conditions. */
const ENTRIES_PER_SCAN = 8

/** The rows of a view in slices, newest first. */
export function slicesOf(statements: Statements, tables: ViewTables): Slice[] {
  const inChunks = (entries: readonly CountedRange[], size: number): CountedRange[][] =>
    Array.from({ length: Math.ceil(entries.length / size) }, (_, n) => entries.slice(n * size, (n + 1) * size))
  return inChunks(entriesOf(statements, tables), ENTRIES_PER_SLICE).map((entries) => ({
    ...span(entries),
    scans: inChunks(entries, ENTRIES_PER_SCAN).map(span),
  }))
}

/** All rows of a view in one slice and one scan. */
export const WHOLE_VIEW: Slice = { ...span([]), scans: [span([])] }

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

function span(entries: readonly CountedRange[]): KeyRange {
  return { lower: entries.at(-1)?.lower ?? LOWEST_KEY, upper: entries[0]?.upper ?? HIGHEST_KEY }
}
