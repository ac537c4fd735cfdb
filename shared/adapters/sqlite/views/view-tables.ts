import { versionIndexes, versionTablesSql } from '../sums/ledger-tables.ts'
import { rowsName } from './stored-views.ts'
import type { ViewShape } from './view-shape.ts'

/**
 * The tables of one generation of a view; a rebuild creates the next generation beside it. Only the writer thread
 * changes them: see rows.writer.ts.
 *
 * - rows: the folded states. Their integer key follows the order of lists: creation time in milliseconds × 2^21 + place
 *   among the rows of that millisecond, by id. So a scan by key, also of the filter indexes and the search index,
 *   visits the rows in list order.
 * - texts: what lists check of each row, a quarter of its size: filters, ranges and folded search text. If no index
 *   narrows a list down to few rows, the whole table is scanned, at 0.1 µs a row, whatever the conditions.
 * - search: the trigram index over texts.
 * - counts: how many rows there are from one key to the next, at most 2,048: for totals and deep offsets without a
 *   scan, and for dividing a long search into slices.
 * - snapshots: past states, about every SNAPSHOT_INTERVAL versions of a row.
 * - the tables for every version, if the view has a ledger or labels: see LedgerTables.
 */
export interface ViewTables {
  readonly shape: ViewShape
  readonly generation: number
  readonly rows: string
  readonly texts: string
  readonly search: string
  readonly counts: string
  readonly snapshots: string
  /** The columns of the texts for filters and ranges. */
  readonly columns: readonly string[]
}

/** Bits of a row's key below its creation time. */
export const PLACE_BITS = 21n

/** The range of SQLite's integers, and so of keys. */
export const LOWEST_KEY = -(2n ** 63n)
export const HIGHEST_KEY = 2n ** 63n - 1n

/** The names of a generation's tables and columns. */
export function viewTables(shape: ViewShape, generation: number): ViewTables {
  const rows = rowsName(shape.name, generation)
  return {
    shape,
    generation,
    rows,
    texts: `${rows}_texts`,
    search: `${rows}_search`,
    counts: `${rows}_counts`,
    snapshots: `${rows}_snapshots`,
    columns: [...shape.filters.map((filter) => `filter_${filter}`), ...shape.ranges.map((range) => `range_${range}`)],
  }
}

/** A script that creates the empty tables, with the search index but without the others. */
export function viewTablesSql(tables: ViewTables): string {
  const { shape, rows, texts, counts, snapshots, columns } = tables
  const idType = shape.idOrder === 'numeric' ? 'INTEGER' : 'TEXT'
  return `
    CREATE TABLE ${rows} (
      key INTEGER PRIMARY KEY,
      id ${idType} NOT NULL UNIQUE,
      version INTEGER NOT NULL,
      at INTEGER NOT NULL,
      state TEXT NOT NULL
    ) STRICT;
    CREATE TABLE ${texts} (
      key INTEGER PRIMARY KEY,
      ${columns.map((column) => `${column} ANY NOT NULL,`).join(' ')}
      text TEXT NOT NULL
    ) STRICT;
    CREATE TABLE ${counts} (first INTEGER PRIMARY KEY, rows INTEGER NOT NULL) STRICT;
    INSERT INTO ${counts} VALUES (${LOWEST_KEY}, 0);
    CREATE TABLE ${snapshots} (
      key INTEGER PRIMARY KEY,
      id ${idType} NOT NULL,
      version INTEGER NOT NULL,
      at INTEGER NOT NULL,
      state TEXT NOT NULL,
      UNIQUE (id, version)
    ) STRICT;
    ${searchSql(tables)}
    ${versionTablesSql(rows, shape)}
  `
}

/** Statements that create those indexes that are missing: a list or report needs all of them, building a view none. */
export function viewIndexSqls(tables: ViewTables): string[] {
  const { shape, rows, texts, snapshots, columns } = tables
  const indexes = [
    ...columns.map((column) => [indexOf(tables, column), `${texts} (${column})`]),
    [`${snapshots}_by_time`, `${snapshots} (id, at, version)`],
    ...versionIndexes(rows, shape),
  ]
  return indexes.map(([name, on]) => `CREATE INDEX IF NOT EXISTS ${name} ON ${on}`)
}

/**
 * The search index consists of segments, at least one from each transaction, which are merged over time. By default
 * FTS5 merges hundreds of pages in one transaction and none in the next ones, and appends wait for it. So
 * createRowTexts merges a little in each transaction, which lowers the 99th percentile of appends by a quarter. Merging
 * eight segments at once instead of four saves a fifth of a rebuild (https://sqlite.org/fts5.html#the_merge_command).
 */
function searchSql({ texts, search }: Pick<ViewTables, 'texts' | 'search'>): string {
  return `
    CREATE VIRTUAL TABLE ${search} USING fts5 (
      text, content = '${texts}', content_rowid = 'key', columnsize = 0,
      tokenize = 'trigram case_sensitive 1'
    );
    INSERT INTO ${search} (${search}, rank) VALUES ('automerge', 0), ('usermerge', 8);
  `
}

/** The name of the index on one column; rows with equal values are in key order. */
export function indexOf({ rows }: ViewTables, column: string): string {
  return `${rows}_by_${column}`
}
