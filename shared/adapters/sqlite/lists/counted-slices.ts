import { LRUCache } from 'lru-cache'
import type { Statements } from '../statements.ts'
import { HIGHEST_KEY, LOWEST_KEY, type ViewTables } from '../views/view-tables.ts'
import type { KeyRange } from './matches.ts'

/** An entry of a view's counts: the keys from its first to the next one's, with at most 2,048 rows. */
interface Entry extends KeyRange {
  readonly rows: number
  /** Grows with every row written there. */
  readonly changes: number
}

/** Entries of the counts that lie side by side. */
export interface Slice extends KeyRange {
  readonly changes: number
  /** The ranges in which it is scanned, highest first: some milliseconds each. */
  readonly parts: readonly KeyRange[]
}

/** What was found in a slice when its changes were so many. */
export interface CountedSlice extends KeyRange {
  readonly changes: number
  readonly found: number
  /** The highest keys of what was found, highest first; often all of them. */
  readonly keys: BigInt64Array
}

/**
 * A slice is what is counted anew after a write into it (20 ms by a scan), and what the search index is opened for (0.1
 * ms for each three characters of the term): a million rows are 8 slices. With half of that a phrase of 18 characters
 * took 28 ms, not 15.
 */
const ROWS_PER_SLICE = 131_072
/** One part takes 2 ms, 12 where conditions are checked, too. */
const ENTRIES_PER_PART = 8

/** The rows of a view in slices, the newest first. They are cut from the oldest on, so that new rows only change the newest. */
export function slicesOf(statements: Statements, tables: ViewTables, rowsPerSlice: number): Slice[] {
  const slices: Slice[] = []
  let entries: Entry[] = []
  let rows = 0
  for (const entry of entriesOf(statements, tables)) {
    entries.push(entry)
    rows += entry.rows
    if (rows < rowsPerSlice) continue
    slices.push(toSlice(entries))
    entries = []
    rows = 0
  }
  if (entries.length > 0) slices.push(toSlice(entries))
  return slices.reverse()
}

/** All rows of a view in one slice. */
export function wholeView(statements: Statements, tables: ViewTables): Slice {
  const all = { lower: LOWEST_KEY, upper: HIGHEST_KEY }
  const changes = Number(statements.of(`SELECT sum(changes) AS n FROM ${tables.counts}`).get()?.n)
  return { ...all, changes, parts: [all] }
}

/** The entries of the counts, lowest first. */
function entriesOf(statements: Statements, { counts }: ViewTables): Entry[] {
  const found = statements.asBigIntArrays(`SELECT first, rows, changes FROM ${counts} ORDER BY first`).all()
  return (found as unknown as [bigint, bigint, bigint][]).map(([lower, rows, changes], index, all) => {
    const next = (all as unknown as [bigint][])[index + 1]
    return { lower, upper: next ? next[0] - 1n : HIGHEST_KEY, rows: Number(rows), changes: Number(changes) }
  })
}

function toSlice(entries: readonly Entry[]): Slice {
  const parts: KeyRange[] = []
  for (let at = 0; at < entries.length; at += ENTRIES_PER_PART) {
    parts.unshift(spanOf(entries.slice(at, at + ENTRIES_PER_PART)))
  }
  return { ...spanOf(entries), changes: entries.reduce((sum, { changes }) => sum + changes, 0), parts }
}

function spanOf(entries: readonly Entry[]): KeyRange {
  return { lower: entries[0]?.lower ?? LOWEST_KEY, upper: entries.at(-1)?.upper ?? HIGHEST_KEY }
}

/** The counted slices of one question, by their lowest key. */
export type CountedSlices = Map<bigint, CountedSlice>

/** What was counted for the questions asked last, so that only slices written to since are counted again. */
export interface CountedQuestions {
  /** A slice ends with the entry of the counts that brings it to so many rows. */
  readonly rowsPerSlice: number
  /** The slices of a question; what is put in there is remembered. */
  of(question: string): CountedSlices
  /** Takes account of what was put in there. */
  weigh(question: string): void
}

/** As many keys as take 8 MB. */
const MOST_KEYS = 1_000_000
/** What a slice without keys takes, in keys. */
const SLICE_WEIGHT = 40

/** Nothing counted yet. */
export function createCountedQuestions(rowsPerSlice = ROWS_PER_SLICE): CountedQuestions {
  const questions = new LRUCache<string, CountedSlices>({ maxSize: MOST_KEYS })
  const set = (question: string, slices: CountedSlices): void => {
    const size = [...slices.values()].reduce((sum, { keys }) => sum + keys.length + SLICE_WEIGHT, SLICE_WEIGHT)
    questions.set(question, slices, { size })
  }
  return {
    rowsPerSlice,
    of(question) {
      const known = questions.get(question)
      if (known) return known
      const slices: CountedSlices = new Map()
      set(question, slices)
      return slices
    },
    weigh(question) {
      const slices = questions.get(question)
      if (slices) set(question, slices)
    },
  }
}

/** What was counted in a slice, where nothing was written in it since. */
export function countedBefore(known: CountedSlices, { lower, upper, changes }: Slice): CountedSlice | undefined {
  const counted = known.get(lower)
  return counted?.upper === upper && counted.changes === changes ? counted : undefined
}
