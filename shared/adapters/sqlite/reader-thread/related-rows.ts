import { MOST_RELATED } from '../../../event-sourcing/ports/view.ts'
import { IS_RELATED, type RelatedRows, type TableQuery, toSql } from '../any-thread/list-query.ts'
import { entriesOf, type KeyRange, slicesOf, WHOLE_VIEW } from '../any-thread/slices.ts'
import type { Statements } from '../any-thread/statements.ts'
import { generationOf } from '../any-thread/stored-views.ts'
import { indexOf, type ViewTables, viewTables } from '../any-thread/view-tables.ts'
import { keysIn, type Matches } from './matches.ts'

/** How many related ids are handled between yields: with 200 rows each they take 5 ms. */
const IDS_PER_STEP = 500
/** Where the rows of a step's ids are more than this, they are counted in parts. */
const MOST_PER_STEP = 200_000
/** The same if conditions are checked, which takes 1 µs for each row. */
const MOST_CHECKED_PER_STEP = 10_000

/** A list's query with its search in a related view. */
export type RelatedQuery = TableQuery & { readonly related: RelatedRows }

/**
 * Puts the ids of the rows that the search in the related view finds into `temp.related`, for the current transaction.
 * Returns how many there are, or, above MOST_RELATED, how many it has found by then.
 */
export function* findRelated(statements: Statements, { shape, words }: RelatedRows): Generator<undefined, number> {
  // The connection can't write to the file; temporary tables are in memory and end with the transaction.
  statements.connection.exec(`
    PRAGMA query_only = OFF;
    CREATE TEMP TABLE IF NOT EXISTS related (id TEXT PRIMARY KEY) WITHOUT ROWID;
    DELETE FROM temp.related;
  `)
  const tables = viewTables(shape, generationOf(statements, shape.name) ?? 0)
  const { where, values } = toSql([], words)
  const insert = statements.of(`
    INSERT INTO temp.related SELECT CAST(r.id AS TEXT)
    FROM ${tables.texts} AS t CROSS JOIN ${tables.rows} AS r ON r.key = t.key WHERE ${where} AND r.key BETWEEN ? AND ?
  `)
  let found = 0
  // Oldest first: ids that ascend with time are inserted in order.
  for (const { lower, upper } of entriesOf(statements, tables).reverse()) {
    if (found > MOST_RELATED) break
    found += Number(insert.run(...values, lower, upper).changes)
    yield
  }
  return found
}

/** The query with one more condition: that a row is related to one of `temp.related`. */
export function withRelation(query: RelatedQuery): RelatedQuery {
  const isRelated = { column: query.related.column, test: IS_RELATED, values: [] } as const
  return { ...query, conditions: [...query.conditions, isRelated] }
}

/**
 * How many rows of the range are related and meet the query's conditions, without regard to its words. Goes from the
 * related ids to their rows: checking a million rows for whether they are related takes ten times as long. Stops
 * counting above `enough`.
 */
export function* countRelated(
  statements: Statements,
  tables: ViewTables,
  query: RelatedQuery,
  { range = WHOLE_VIEW, enough = Infinity }: { readonly range?: KeyRange; readonly enough?: number } = {},
): Generator<undefined, number> {
  const { from, key, where, values } = rowsOfIds(tables, { ...query, words: [] })
  const matching = `SELECT 1 FROM ${from} WHERE ${where} AND ${key} BETWEEN ? AND ?`
  const most = query.conditions.length > 0 ? MOST_CHECKED_PER_STEP : MOST_PER_STEP
  const count = statements.of<{ n: number }>(`SELECT count(*) AS n FROM (${matching} LIMIT ?)`)
  const countOf = (ids: readonly string[], { lower, upper }: KeyRange, limit: number): number =>
    count.get(...ids, ...values, lower, upper, limit)?.n ?? 0
  let total = 0
  for (const ids of idSteps(statements)) {
    const found = countOf(ids, range, most)
    yield
    if (found < most) total += found
    else {
      for (const part of partsOf(statements, tables, range, query)) {
        total += countOf(ids, part, -1)
        yield
      }
    }
    if (total > enough) break
  }
  return total
}

/** The keys of all rows that meet the conditions and have the words, highest first. */
export function* collectRelated(
  statements: Statements,
  tables: ViewTables,
  query: RelatedQuery,
): Generator<undefined, BigInt64Array> {
  const matches = rowsOfIds(tables, query)
  const keys: bigint[] = []
  for (const ids of idSteps(statements)) {
    const values = [...ids, ...matches.values]
    keys.push(...keysIn(statements, { ...matches, values }, WHOLE_VIEW, { limit: -1 }))
    yield
  }
  return BigInt64Array.from(keys).sort().reverse()
}

/** The rows of the related ids in a step, whose bounds are the first two values of the statement. */
function rowsOfIds(tables: ViewTables, { conditions, words, related: { column } }: RelatedQuery): Matches {
  const passing = toSql(conditions, words)
  return {
    from: `temp.related AS c CROSS JOIN ${tables.texts} AS t INDEXED BY ${indexOf(tables, column)} ON t.${column} = c.id`,
    key: 't.key',
    where: ['c.id > ? AND c.id <= ?', passing.where].filter(Boolean).join(' AND '),
    values: passing.values,
  }
}

/** The related ids in steps: of each the id before its first, and its last. */
function* idSteps(statements: Statements): Generator<readonly [after: string, last: string]> {
  const lastOf = statements.of<{ last: string | null }>(
    'SELECT max(id) AS last FROM (SELECT id FROM temp.related WHERE id > ? ORDER BY id LIMIT ?)',
  )
  for (let after = ''; ; ) {
    const last = lastOf.get(after, IDS_PER_STEP)?.last
    if (last === undefined || last === null) return
    yield [after, last]
    after = last
  }
}

/** The range in parts that are counted in some milliseconds, even if all of their rows are related. */
function partsOf(
  statements: Statements,
  tables: ViewTables,
  { lower, upper }: KeyRange,
  { conditions }: TableQuery,
): KeyRange[] {
  const slices = slicesOf(statements, tables)
  const parts: readonly KeyRange[] = conditions.length > 0 ? slices.flatMap(({ scans }) => scans) : slices
  return parts
    .map((part) => ({
      lower: part.lower > lower ? part.lower : lower,
      upper: part.upper < upper ? part.upper : upper,
    }))
    .filter((part) => part.lower <= part.upper)
}

/** Names a search in a related view, for what is remembered of it: a rebuild of that view may find other rows. */
export function nameOfRelated(statements: Statements, { column, words, shape }: RelatedRows): readonly unknown[] {
  return [column, words, generationOf(statements, shape.name)]
}
