import { MAX_RELATED } from '../../../event-sourcing/ports/view.ts'
import type { Statements } from '../file/statements.ts'
import { generationOf } from '../views/stored-views.ts'
import { indexOf, type ViewTables, viewTables } from '../views/view-tables.ts'
import { IS_RELATED, type RelatedRows, type TableQuery, toSql } from './list-query.ts'
import { entriesOf, type KeyRange, slicesOf, WHOLE_VIEW } from './slices.ts'

/** How many related ids are handled between yields: with 200 rows each they take 5 ms. */
const IDS_PER_STEP = 500
/** Where the rows of a step's ids are more than this, they are counted in parts. */
const MAX_PER_STEP = 200_000

/** A list's query with its search in a related view. */
export type RelatedQuery = TableQuery & { readonly related: RelatedRows }

/**
 * Puts the ids of the rows that the search in the related view finds into `temp.related`, for the current transaction.
 * Returns how many there are, or, above MAX_RELATED, how many it has found by then.
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
    if (found > MAX_RELATED) break
    found += Number(insert.run(...values, lower, upper).changes)
    yield
  }
  return found
}

/** The query with one more condition: that a row is related to one of `temp.related`. `isFew`: such rows are few. */
export function withRelation(query: RelatedQuery, isFew: boolean): RelatedQuery {
  const isRelated = { column: query.related.column, test: IS_RELATED, values: [], isFew } as const
  return { ...query, conditions: [...query.conditions, isRelated] }
}

/**
 * How many rows are related. Goes from the related ids to their rows: checking a million rows for whether they are
 * related takes ten times as long. Stops counting above `enough`.
 */
export function* countRelated(
  statements: Statements,
  tables: ViewTables,
  { column }: RelatedRows,
  enough: number,
): Generator<undefined, number> {
  const from = `temp.related AS c CROSS JOIN ${tables.texts} AS t INDEXED BY ${indexOf(tables, column)} ON t.${column} = c.id`
  const related = `SELECT 1 FROM ${from} WHERE c.id > ? AND c.id <= ? AND t.key BETWEEN ? AND ? LIMIT ?`
  const count = statements.of<{ n: number }>(`SELECT count(*) AS n FROM (${related})`)
  const countOf = (ids: readonly string[], { lower, upper }: KeyRange, limit: number): number =>
    count.get(...ids, lower, upper, limit)?.n ?? 0
  let total = 0
  for (const ids of idSteps(statements)) {
    const found = countOf(ids, WHOLE_VIEW, MAX_PER_STEP)
    yield
    if (found < MAX_PER_STEP) total += found
    else {
      for (const slice of slicesOf(statements, tables)) {
        total += countOf(ids, slice, -1)
        yield
      }
    }
    if (total > enough) break
  }
  return total
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

/** Names a search in a related view, for what is remembered of it: a rebuild of that view may find other rows. */
export function nameOfRelated(statements: Statements, { column, words, shape }: RelatedRows): readonly unknown[] {
  return [column, words, generationOf(statements, shape.name)]
}
