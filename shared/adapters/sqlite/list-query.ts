import type { ListQuery } from '../../event-sourcing/view.ts'
import { foldForSearch } from '../../search-folding.ts'
import type { Statements } from './statements.ts'
import type { StoredRow } from './view-shape.ts'
import type { ViewTables } from './view-tables.ts'

/** A list's question to the tables, as plain data. */
export interface TableQuery {
  readonly filters: readonly (readonly [column: string, value: string])[]
  /** Folded; '' finds all. */
  readonly term: string
  readonly limit: number
  readonly offset: number
}

export interface TablePage {
  readonly rows: readonly StoredRow[]
  readonly total: number
}

/** Which rows match, as the parts of a SELECT that can be cut by ranges of keys. */
export interface Matches {
  readonly from: string
  /** The key of a matching row. */
  readonly key: string
  readonly where: string
  readonly values: readonly string[]
}

/** So many rows with the same value of a filter are few: going through them is quicker than through the search index. */
const FEW_ROWS = 5000

/** A trigram index can't find less. */
const SHORTEST_INDEXED_TERM = 3

/** The port's question in the terms of the tables. Throws an Error for a filter that the view does not have. */
export function toTableQuery(tables: ViewTables, query: ListQuery): TableQuery {
  const filters = Object.entries(query.where).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (!tables.shape.filters.includes(name)) throw new Error(`view ${tables.shape.name} has no filter ${name}`)
    return [[`filter_${name}`, value] as const]
  })
  return { filters, term: foldForSearch(query.search), limit: query.limit, offset: query.offset }
}

/**
 * The ways to the rows that match, the one that is mostly quickest first. A search has two where neither is always
 * quicker: through the index, which costs by what it finds and by how common the parts of the term are, and through
 * all texts, which costs the same whatever the term.
 */
export function waysTo(
  statements: Statements,
  tables: ViewTables,
  query: TableQuery,
): readonly [Matches, ...Matches[]] {
  const { filters, term } = query
  const filtered = filters.map(([column]) => `r.${column} = ?`).join(' AND ')
  const filterValues = filters.map(([, value]) => value)
  if (term === '') {
    return [{ from: `${tables.rows} AS r`, key: 'r.key', where: filtered || '1', values: filterValues }]
  }
  if (tables.textColumns.length === 0) return [{ from: `${tables.rows} AS r`, key: 'r.key', where: '0', values: [] }]
  const throughTexts = textMatches(tables, filtered, filterValues, term)
  const isIndexed = [...term].length >= SHORTEST_INDEXED_TERM && !term.includes('\0')
  if (!isIndexed || (filters.length > 0 && matchesFew(statements, tables, filters))) return [throughTexts]
  const join = filters.length > 0 ? ` CROSS JOIN ${tables.rows} AS r ON r.key = s.rowid` : ''
  const throughIndex = {
    from: `${tables.search} AS s${join}`,
    key: 's.rowid',
    where: [`s.${tables.search} MATCH ?`, ...(filtered ? [filtered] : [])].join(' AND '),
    values: [phrase(term), ...filterValues],
  }
  return [throughIndex, throughTexts]
}

function textMatches(tables: ViewTables, filtered: string, filterValues: readonly string[], term: string): Matches {
  const found = `(${tables.textColumns.map((column) => `instr(t.${column}, ?) > 0`).join(' OR ')})`
  const terms = tables.textColumns.map(() => term)
  if (filtered === '') return { from: `${tables.texts} AS t`, key: 't.key', where: found, values: terms }
  return {
    from: `${tables.rows} AS r CROSS JOIN ${tables.texts} AS t ON t.key = r.key`,
    key: 'r.key',
    where: `${filtered} AND ${found}`,
    values: [...filterValues, ...terms],
  }
}

/** The term as it is: within the quotes of an FTS5 string nothing but the quote itself has a meaning. */
function phrase(term: string): string {
  return `"${term.replaceAll('"', '""')}"`
}

/** Whether at most FEW_ROWS rows pass the filters' first. */
function matchesFew(statements: Statements, tables: ViewTables, filters: TableQuery['filters']): boolean {
  const [[column, value] = ['', '']] = filters
  return countUpTo(statements, tables, [[column, value]], FEW_ROWS + 1) <= FEW_ROWS
}

/** How many rows pass the filters, counted no further than `most`. */
export function countUpTo(
  statements: Statements,
  tables: ViewTables,
  filters: TableQuery['filters'],
  most: number,
): number {
  const where = filters.map(([column]) => `${column} = ?`).join(' AND ')
  const values = filters.map(([, value]) => value)
  const counted = statements
    .of(`SELECT count(*) AS n FROM (SELECT 1 FROM ${tables.rows} WHERE ${where} LIMIT ?)`)
    .get(...values, most)
  return Number(counted?.n)
}

/** The rows of these keys, in this order. */
export function rowsOf(statements: Statements, tables: ViewTables, keys: readonly bigint[]): StoredRow[] {
  const select = statements.of(`SELECT id, version, at, state FROM ${tables.rows} WHERE key = ?`)
  return keys.flatMap((key) => {
    const found = select.get(key)
    return found ? [found as unknown as StoredRow] : []
  })
}
