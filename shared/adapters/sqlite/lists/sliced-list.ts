import type { Statements } from '../statements.ts'
import type { ViewTables } from '../views/view-tables.ts'
import { highestOfPage, type ListAnswer, rowsOf, type TableQuery } from './list-query.ts'
import { fewKeysIn, keysIn } from './matches.ts'
import { createPackedTexts, type PackedTexts } from './packed-texts.ts'
import { createSliceMemory, type SliceMemory } from './slice-memory.ts'
import { entriesOf, knownSlice, type Slice, sliceOf, spanUpToKnown } from './slices.ts'
import { createWayChoice, type Took } from './way-choice.ts'
import { waysTo } from './ways.ts'

/** What lists leave behind for those that come after them. */
export interface ListMemory {
  readonly slices: SliceMemory
  readonly texts: PackedTexts
}

/** A memory in which nothing is kept yet. */
export const createListMemory = (): ListMemory => ({ slices: createSliceMemory(), texts: createPackedTexts() })

/**
 * Answers a list by going through the keys from the newest to the oldest in slices of a few milliseconds, yielding
 * after each so that other lists get their turn, each slice by the way that was cheaper lately. A slice that was counted
 * before, and where nothing was written since, isn't counted again. The caller keeps one read transaction open all the
 * while: page and total are then of the same moment.
 */
export function* slicedList(
  statements: Statements,
  tables: ViewTables,
  query: TableQuery,
  memory: ListMemory,
): Generator<undefined, ListAnswer> {
  const highest = highestOfPage(statements, tables, query)
  if (highest === undefined) return 'unknown-cursor'
  const choice = createWayChoice(waysTo(statements, tables, query, memory.texts))
  const known = memory.slices.of(JSON.stringify([tables.rows, query.conditions, query.term]))
  const entries = entriesOf(statements, tables)
  const keys: bigint[] = []
  let total = 0

  /** The keys of the next slice that belong on the page; `few` are all of its keys, where they are known. */
  const keysOnPage = (
    slice: Slice,
    found: number | undefined,
    few: readonly bigint[] | undefined,
  ): readonly bigint[] => {
    const [offset, limit] = [Math.max(0, query.offset - total), query.limit - keys.length]
    if (few) return few.filter((key) => key <= highest).slice(offset, offset + limit)
    const atMost = found ?? slice.rows
    if (atMost <= offset) return []
    const upper = slice.upper < highest ? slice.upper : highest
    const { matches } = choice.forPage(slice, found)
    return keysIn(statements, matches, { lower: slice.lower, upper }, { limit, offset, atMost })
  }

  // Where nothing is counted, what lies before the page needn't be looked at, nor what lies after it.
  let at = query.withTotal ? 0 : entries.findIndex(({ lower }) => lower <= highest)
  while (at < entries.length && (query.withTotal || keys.length < query.limit)) {
    const stop = startStopwatch()
    const { way, span } = choice.next()
    const counted = knownSlice(known, entries, at)
    const slice = sliceOf(entries, at, counted?.entries ?? spanUpToKnown(known, entries, at, span))
    const isCounted = query.withTotal || query.offset > total
    const isOnPage = keys.length < query.limit && slice.lower <= highest
    // Opening the index takes most of the time where it finds few: their keys tell both count and page.
    const isByIndex = way.matches.isBySearchIndex
    const few = !counted && isOnPage && isByIndex ? fewKeysIn(statements, way.matches, slice) : undefined
    const found = counted?.found ?? few?.length ?? (isCounted ? way.count(slice) : undefined)
    if (found !== undefined && !counted) known.set(slice.upper, { ...slice, entries: slice.entries.length, found })
    if (isOnPage) keys.push(...keysOnPage(slice, found, few))
    total += found ?? slice.rows
    at += slice.entries.length
    if (counted) continue
    choice.learn(slice, found, stop())
    if (at < entries.length) yield
  }
  return { rows: rowsOf(statements, tables, keys), total: query.withTotal ? total : 0 }
}

function startStopwatch(): () => Took {
  const started = performance.now()
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return { elapsed: performance.now() - started, processor: (user + system) / 1000 }
  }
}
