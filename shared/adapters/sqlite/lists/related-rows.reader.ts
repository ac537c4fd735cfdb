import { MAX_RELATED } from '../../../event-sourcing/ports/view.ts'
import type { Statements } from '../file/statements.ts'
import { generationOf } from '../views/stored-views.ts'
import { indexOf, type ViewTables, viewTables } from '../views/view-tables.ts'
import { IS_RELATED, type RelatedRows, type TableQuery, toSql } from './list-query.ts'
import { entriesOf } from './slices.ts'

/** For how many related ids the rows are counted between yields: 3 ms where each has 5,000 rows. */
const IDS_PER_STEP = 16

/**
 * Replaces a query's search in a related view by a condition: that a row is related to one that this search finds.
 * Yields every few milliseconds. The condition is valid within the current transaction.
 */
export function* withRelation(
  statements: Statements,
  query: TableQuery,
): Generator<undefined, TableQuery | 'too-many-related'> {
  const { conditions, related } = query
  if (!related) return query
  if ((yield* findRelated(statements, related)) > MAX_RELATED) return 'too-many-related'
  return { ...query, conditions: [...conditions, { column: related.column, test: IS_RELATED, values: [] }] }
}

/**
 * Puts the ids of the rows that the search in the related view finds into `temp.related`, numbered from 1. Returns
 * their number; it stops searching once that exceeds MAX_RELATED.
 */
function* findRelated(statements: Statements, { shape, words }: RelatedRows): Generator<undefined, number> {
  // The connection can't write to the file; temporary tables are in memory and end with the transaction.
  statements.connection.exec(`
    PRAGMA query_only = OFF;
    CREATE TEMP TABLE IF NOT EXISTS related (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
    DELETE FROM temp.related;
  `)
  const tables = viewTables(shape, generationOf(statements, shape.name) ?? 0)
  const { where, values } = toSql([], words)
  const insert = statements.of(`
    INSERT INTO temp.related (id) SELECT CAST(r.id AS TEXT)
    FROM ${tables.texts} AS t CROSS JOIN ${tables.rows} AS r ON r.key = t.key WHERE ${where} AND r.key BETWEEN ? AND ?
  `)
  let found = 0
  // Oldest first, so that ids that ascend with time are inserted in order.
  for (const { lower, upper } of entriesOf(statements, tables).reverse()) {
    if (found > MAX_RELATED) break
    found += Number(insert.run(...values, lower, upper).changes)
    yield
  }
  return found
}

/**
 * Counts the related rows. Goes from the related ids to their rows: checking for each of a million rows whether it is
 * related takes ten times as long. All rows of an id are counted in one statement, a million in 55 ms.
 */
export function* countRelated(
  statements: Statements,
  tables: ViewTables,
  { column }: RelatedRows,
): Generator<undefined, number> {
  const count = statements.of(`
    SELECT count(*) AS n FROM temp.related AS c
    CROSS JOIN ${tables.texts} AS t INDEXED BY ${indexOf(tables, column)} ON t.${column} = c.id
    WHERE number > ? AND number <= ?
  `)
  const ids = Number(statements.of('SELECT max(number) AS n FROM temp.related').get()?.n)
  let total = 0
  for (let number = 0; number < ids; number += IDS_PER_STEP) {
    total += Number(count.get(number, number + IDS_PER_STEP)?.n)
    yield
  }
  return total
}

/** Identifies a search in a related view in cache keys. Includes the generation: after a rebuild it may find others. */
export function relatedCacheKey(statements: Statements, { column, words, shape }: RelatedRows): readonly unknown[] {
  return [column, words, generationOf(statements, shape.name)]
}
