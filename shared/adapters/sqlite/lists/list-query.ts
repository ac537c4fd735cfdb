import {
  CursorNotFound,
  type ListQuery,
  type RangeValue,
  type RelatedSearch,
} from '../../../event-sourcing/ports/view.ts'
import { searchWords } from '../../../event-sourcing/search-folding.ts'
import type { Statements } from '../file/statements.ts'
import { encodeId } from '../views/encode-id.ts'
import type { StoredRow, ViewShape } from '../views/view-shape.ts'
import { HIGHEST_KEY, type ViewTables } from '../views/view-tables.ts'

/** A condition on one column of the rows. */
export interface Condition {
  readonly column: string
  /** What follows the column in SQL, with a `?` for each value. */
  readonly test: '= ?' | '>= ?' | '<= ?' | 'BETWEEN ? AND ?' | typeof IS_RELATED
  readonly values: readonly RangeValue[]
}

/** Tests a filter's column against the ids in the temporary table of related rows. */
export const IS_RELATED = 'IN (SELECT id FROM temp.related)'

/** A search in a related view. */
export interface RelatedRows {
  /** The column that has the ids of that view's rows. */
  readonly column: string
  readonly shape: ViewShape
  /** The words of its search; at least one. */
  readonly words: readonly string[]
}

/** A list query in terms of the tables, as plain data. */
export interface TableQuery {
  /** All of them must hold. */
  readonly conditions: readonly Condition[]
  /** Rows must also be related to one of these. */
  readonly related?: RelatedRows | undefined
  /** The words of the search: a row matches if its text contains all of them. */
  readonly words: readonly string[]
  readonly limit: number
  readonly offset: number
  /** The id of the row that the page follows; if given, the offset is 0. */
  readonly after: string | number | undefined
  readonly withTotal: boolean
}

export interface TablePage {
  readonly rows: readonly StoredRow[]
  /** 0 when the query doesn't ask for it. */
  readonly total: number
}

/** A page, or why there is none: its cursor's row doesn't exist, or the search in a related view finds too many. */
export type ListAnswer = TablePage | 'unknown-cursor' | 'too-many-related'

/** Translates a query to tables. Throws CursorNotFound, or an Error for an unknown filter, range or relation. */
export function toTableQuery(shape: ViewShape, query: ListQuery): TableQuery {
  const { where, between = {}, search, limit, offset, after, withoutTotal = false } = query
  const filters = Object.entries(where).flatMap(([name, value]): Condition[] => {
    if (!shape.filters.includes(name)) throw new Error(`view ${shape.name} has no filter ${name}`)
    return value === undefined ? [] : [{ column: `filter_${name}`, test: '= ?', values: [value] }]
  })
  const ranges = Object.entries(between).flatMap(([name, bounds]): Condition[] => {
    if (!shape.ranges.includes(name)) throw new Error(`view ${shape.name} has no range ${name}`)
    return toCondition(`range_${name}`, bounds?.from, bounds?.to)
  })
  if (after !== undefined && offset > 0) throw new Error('a list starts after a row or at an offset, not both')
  const cursor = after === undefined ? undefined : encodeId(shape, after)
  if (after !== undefined && cursor === undefined) throw new CursorNotFound(after)
  const conditions = [...filters, ...ranges]
  const related = query.related && toRelatedRows(shape, query.related)
  return { conditions, related, words: searchWords(search), limit, offset, after: cursor, withTotal: !withoutTotal }
}

function toRelatedRows({ name, relations }: ViewShape, { filter, search }: RelatedSearch): RelatedRows | undefined {
  const shape = relations[filter]
  if (!shape) throw new Error(`view ${name} has no relation ${filter}`)
  const words = searchWords(search)
  return words.length > 0 ? { column: `filter_${filter}`, shape, words } : undefined
}

function toCondition(column: string, from: RangeValue | undefined, to: RangeValue | undefined): Condition[] {
  if (from !== undefined && to !== undefined) return [{ column, test: 'BETWEEN ? AND ?', values: [from, to] }]
  if (from !== undefined) return [{ column, test: '>= ?', values: [from] }]
  return to === undefined ? [] : [{ column, test: '<= ?', values: [to] }]
}

/** SQL for all of the conditions and words, on the texts at `t`; '' for none. */
export function toSql(
  conditions: readonly Condition[],
  words: readonly string[] = [],
): { where: string; values: RangeValue[] } {
  const tests = conditions.map(({ column, test }) => `t.${column} ${test}`)
  return {
    where: [...tests, ...words.map(() => 'instr(t.text, ?) > 0')].join(' AND '),
    values: [...conditions.flatMap(({ values }) => values), ...words],
  }
}

/** The highest key that a page may contain: one below its cursor's row; undefined when there is no such row. */
export function highestOfPage(statements: Statements, { rows }: ViewTables, { after }: TableQuery): bigint | undefined {
  if (after === undefined) return HIGHEST_KEY
  const found = statements.asBigIntArrays<[key: bigint]>(`SELECT key FROM ${rows} WHERE id = ?`).get(after)
  return found && found[0] - 1n
}

/** The rows with these keys, in this order. */
export function rowsOf(statements: Statements, tables: ViewTables, keys: readonly bigint[]): StoredRow[] {
  const select = statements.of<StoredRow>(`SELECT id, version, at, state FROM ${tables.rows} WHERE key = ?`)
  return keys.flatMap((key) => select.get(key) ?? [])
}
