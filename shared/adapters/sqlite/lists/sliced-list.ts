import type { Statements } from '../statements.ts'
import type { ViewTables } from '../views/view-tables.ts'
import {
  type CountedQuestions,
  type CountedSlice,
  countedBefore,
  type Slice,
  slicesOf,
  wholeView,
} from './counted-slices.ts'
import { planList } from './list-plan.ts'
import { highestOfPage, type ListAnswer, rowsOf, type TableQuery } from './list-query.ts'
import { countIn, keysByIndex, keysIn, type Matches } from './matches.ts'

/** So many keys of what a scan finds in a slice are remembered. */
const KEYS_PER_SLICE = 256

/**
 * Answers a list by going through the view in slices, the newest first, yielding after some milliseconds each so that
 * other lists get their turn. A slice that was counted for the same question before, and where nothing was written since,
 * isn't counted again. The caller keeps one read transaction open all the while: page and total are then of the same
 * moment.
 */
export function* slicedList(
  statements: Statements,
  tables: ViewTables,
  query: TableQuery,
  questions: CountedQuestions,
): Generator<undefined, ListAnswer> {
  const { limit, withTotal } = query
  const highest = highestOfPage(statements, tables, query)
  if (highest === undefined) return 'unknown-cursor'
  const plan = planList(statements, tables, query)
  const question = JSON.stringify([tables.rows, query.conditions, query.term])
  const known = questions.of(question)
  let { index } = plan
  const slices = plan.isFew ? [wholeView(statements, tables)] : slicesOf(statements, tables, questions.rowsPerSlice)
  const keys: bigint[] = []
  let total = 0
  for (const slice of slices) {
    // Where nothing is counted, neither what lies before the page matters nor what lies after it.
    if (!withTotal && keys.length >= limit) break
    if (!withTotal && slice.lower > highest) continue
    let counted = countedBefore(known, slice)
    if (!counted) {
      const found = index && keysByIndex(statements, index, slice)
      // Where many match in one slice, many do in the others.
      if (!found) index = undefined
      counted = found ? countedAs(slice, found.length, found) : yield* scanSlice(statements, plan.scan, slice)
      known.set(slice.lower, counted)
      yield
    }
    if (keys.length < limit && slice.lower <= highest) {
      const [offset, missing] = [Math.max(0, query.offset - total), limit - keys.length]
      keys.push(...keysOnPage(statements, plan.scan, counted, { highest, offset, limit: missing }))
    }
    total += counted.found
  }
  questions.weigh(question)
  return { rows: rowsOf(statements, tables, keys), total: withTotal ? total : 0 }
}

/** Counts the matches of a slice part by part; no row is looked at twice. */
function* scanSlice(statements: Statements, scan: Matches, slice: Slice): Generator<undefined, CountedSlice> {
  const keys: bigint[] = []
  let found = 0
  for (const part of slice.parts) {
    yield
    const limit = KEYS_PER_SLICE - keys.length
    const newest = limit > 0 ? keysIn(statements, scan, part, { limit }) : []
    keys.push(...newest)
    found += newest.length
    if (newest.length < limit) continue
    const upper = (newest.at(-1) ?? part.upper + 1n) - 1n
    found += countIn(statements, scan, { lower: part.lower, upper })
  }
  return countedAs(slice, found, keys)
}

function countedAs({ lower, upper, changes }: Slice, found: number, keys: readonly bigint[]): CountedSlice {
  return { lower, upper, changes, found, keys: BigInt64Array.from(keys) }
}

/** The keys of a slice's matches that belong on the page: up to `highest`, after the first `offset`. */
function keysOnPage(
  statements: Statements,
  scan: Matches,
  { lower, upper, found, keys }: CountedSlice,
  { highest, offset, limit }: { readonly highest: bigint; readonly offset: number; readonly limit: number },
): readonly bigint[] {
  if (offset >= found) return []
  const remembered = keys.filter((key) => key <= highest)
  if (keys.length === found || remembered.length >= offset + limit) {
    return [...remembered.slice(offset, offset + limit)]
  }
  return keysIn(statements, scan, { lower, upper: upper < highest ? upper : highest }, { limit, offset })
}
