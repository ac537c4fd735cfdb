import type { Collection, Filter, Sort } from 'mongodb'
import type { ListQuery } from '../../event-sourcing/view.ts'
import { foldForSearch } from '../../search-folding.ts'
import type { RowDocument } from './view-row.ts'

/** Beyond this offset it pays to know the total first and to read from the nearer end. */
export const DEEP_OFFSET = 5_000

const NEWEST_FIRST: Sort = { createdAt: -1, order: -1 }
const OLDEST_FIRST: Sort = { createdAt: 1, order: 1 }

/** The rows that a query asks for, without its page; undefined: all of them. */
export function toFilter({ where, search }: Pick<ListQuery, 'where' | 'search'>): Filter<RowDocument> | undefined {
  const conditions: Filter<RowDocument>[] = []
  for (const [name, value] of Object.entries(where)) {
    if (value !== undefined) conditions.push({ [`filters.${name}`]: value })
  }
  if (search !== '') conditions.push({ texts: { $regex: literally(foldForSearch(search)) } })
  return conditions.length === 0 ? undefined : { $and: conditions }
}

/** A pattern that matches the text as it is: every character that means something to PCRE is escaped. */
export function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

interface PageQuery {
  readonly filter: Filter<RowDocument>
  readonly limit: number
  readonly offset: number
  total(): Promise<number>
}

/** One page, newest first, with the total; past the middle of a long list it is read from the other end. */
export async function readPage(rows: Collection<RowDocument>, { filter, limit, offset, total }: PageQuery) {
  const read = (sort: Sort, skip: number, count: number) =>
    rows.find(filter).sort(sort).skip(skip).limit(count).toArray()
  if (offset < DEEP_OFFSET) {
    const [documents, matches] = await Promise.all([read(NEWEST_FIRST, offset, limit), total()])
    return { documents, total: matches }
  }
  const matches = await total()
  const count = Math.min(limit, matches - offset)
  if (count <= 0) return { documents: [], total: matches }
  if (offset < matches / 2) return { documents: await read(NEWEST_FIRST, offset, count), total: matches }
  const documents = await read(OLDEST_FIRST, matches - offset - count, count)
  return { documents: documents.reverse(), total: matches }
}
