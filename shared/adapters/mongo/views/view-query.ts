import type { Collection, Filter, Sort } from 'mongodb'
import { type Bounds, CursorNotFound, type ListQuery } from '../../../event-sourcing/ports/view.ts'
import { foldForSearch } from '../../../search-folding.ts'
import type { RowDocument } from './view-row.ts'

/** Beyond this offset it pays to know the total first and to read from the nearer end. */
export const DEEP_OFFSET = 5_000

const NEWEST_FIRST: Sort = { createdAt: -1, order: -1 }
const OLDEST_FIRST: Sort = { createdAt: 1, order: 1 }

/** The rows that a query asks for, without its page; undefined: all of them. */
export function toFilter({
  where,
  between = {},
  search,
}: Pick<ListQuery, 'where' | 'between' | 'search'>): Filter<RowDocument> | undefined {
  const conditions: Filter<RowDocument>[] = []
  for (const [name, value] of Object.entries(where)) {
    if (value !== undefined) conditions.push({ [`filters.${name}`]: value })
  }
  for (const [name, bounds] of Object.entries(between)) {
    const within = toBounds(bounds)
    if (within !== undefined) conditions.push({ [`ranges.${name}`]: within })
  }
  if (search !== '') conditions.push({ texts: { $regex: literally(foldForSearch(search)) } })
  return conditions.length === 0 ? undefined : { $and: conditions }
}

function toBounds({ from, to }: Bounds = {}) {
  if (from === undefined && to === undefined) return undefined
  return { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lte: to }) }
}

/** The rows after the one of this id in the order of lists. Throws CursorNotFound. */
export async function rowsAfter(rows: Collection<RowDocument>, id: string): Promise<Filter<RowDocument>> {
  const cursor = await rows.findOne({ _id: id }, { projection: { createdAt: 1, order: 1 } })
  if (cursor === null) throw new CursorNotFound(id)
  const { createdAt, order } = cursor
  // The first condition is what the index goes by.
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { order: { $lt: order } }] }
}

/** A pattern that matches the text as it is: every character that means something to PCRE is escaped. */
export function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

interface PageQuery {
  readonly filter: Filter<RowDocument>
  readonly limit: number
  readonly offset: number
  /** Whether the filter begins behind a row, so that the total counts rows before it, too. */
  readonly isBehindRow: boolean
  /** Absent: it isn't wanted, and 0. */
  readonly total: (() => Promise<number>) | undefined
}

/** One page, newest first, with the total; past the middle of a long list it is read from the other end. */
export async function readPage(rows: Collection<RowDocument>, query: PageQuery) {
  const { filter, limit, offset, isBehindRow, total } = query
  const read = (sort: Sort, skip: number, count: number) =>
    rows.find(filter).sort(sort).skip(skip).limit(count).toArray()
  if (offset < DEEP_OFFSET || total === undefined) {
    const [documents, matches] = await Promise.all([read(NEWEST_FIRST, offset, limit), total?.()])
    if (matches === undefined || isBehindRow) return { documents, total: matches ?? 0 }
    return { documents, total: agreeing(matches, { offset, limit, found: documents.length }) }
  }
  const matches = await total()
  const count = Math.min(limit, matches - offset)
  if (count <= 0) return { documents: [], total: matches }
  if (offset < matches / 2) return { documents: await read(NEWEST_FIRST, offset, count), total: matches }
  const documents = await read(OLDEST_FIRST, matches - offset - count, count)
  return { documents: documents.reverse(), total: matches }
}

/**
 * A total that agrees with a page read at the same time: a row that is being written may be in one of the two and not
 * yet in the other. A page that is not full tells the total by itself.
 */
function agreeing(counted: number, page: { offset: number; limit: number; found: number }): number {
  // An empty page behind the first may be any number of rows behind the last.
  if (page.found === 0 && page.offset > 0) return counted
  const reached = page.offset + page.found
  return page.found < page.limit ? reached : Math.max(counted, reached)
}
