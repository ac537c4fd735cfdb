import type { DatabaseSync } from 'node:sqlite'
import type { ViewShape } from './view-shape.ts'

/**
 * The tables of one generation of a view (a rebuild makes the next one beside it):
 *
 * - rows: the folded states. Their integer key runs in the order of lists: creation time in milliseconds × 2^21 + place
 *   among the rows of that millisecond, by id. So every walk by key, also of the filter indexes and of the search
 *   index, meets the rows in the order in which lists show them.
 * - texts: the folded search texts, small enough to scan for terms that are too short for trigrams.
 * - search: the trigram index over texts.
 * - counts: how many rows there are from one key to the next, at the most 2,048: totals and deep offsets without a
 *   scan, and where to cut a long search into slices.
 */
export interface ViewTables {
  readonly shape: ViewShape
  readonly generation: number
  readonly rows: string
  readonly texts: string
  readonly search: string
  readonly counts: string
  readonly filterColumns: readonly string[]
  readonly textColumns: readonly string[]
}

/** Bits of a row's key below its creation time. */
export const PLACE_BITS = 21n

/** The ends of SQLite's integers, and so of keys. */
const LOWEST_KEY = -(2n ** 63n)
export const HIGHEST_KEY = 2n ** 63n - 1n

/** The names of the tables and columns of a generation. */
export function viewTables(shape: ViewShape, generation: number): ViewTables {
  const rows = `view_${shape.name}_${generation}`
  return {
    shape,
    generation,
    rows,
    texts: `${rows}_texts`,
    search: `${rows}_search`,
    counts: `${rows}_counts`,
    filterColumns: shape.filters.map((filter) => `filter_${filter}`),
    textColumns: Array.from({ length: shape.searchTexts }, (_, index) => `text_${index}`),
  }
}

/** Makes the tables, empty. */
export function createViewTables(connection: DatabaseSync, tables: ViewTables): void {
  const idType = tables.shape.idOrder === 'numeric' ? 'INTEGER' : 'TEXT'
  connection.exec(`
    CREATE TABLE ${tables.rows} (
      key INTEGER PRIMARY KEY,
      id ${idType} NOT NULL UNIQUE,
      version INTEGER NOT NULL,
      at INTEGER NOT NULL,
      ${tables.filterColumns.map((column) => `${column} TEXT NOT NULL,`).join(' ')}
      state TEXT NOT NULL
    ) STRICT;
    CREATE TABLE ${tables.counts} (first INTEGER PRIMARY KEY, rows INTEGER NOT NULL) STRICT;
    INSERT INTO ${tables.counts} VALUES (${LOWEST_KEY}, 0);
  `)
  for (const column of tables.filterColumns) {
    connection.exec(`CREATE INDEX ${tables.rows}_by_${column} ON ${tables.rows} (${column})`)
  }
  if (tables.textColumns.length === 0) return
  const columns = tables.textColumns.join(', ')
  connection.exec(`
    CREATE TABLE ${tables.texts} (key INTEGER PRIMARY KEY, ${tables.textColumns.map((c) => `${c} TEXT NOT NULL`).join(', ')}) STRICT;
    CREATE VIRTUAL TABLE ${tables.search} USING fts5 (
      ${columns}, content = '${tables.texts}', content_rowid = 'key', columnsize = 0, tokenize = 'trigram case_sensitive 1'
    );
  `)
}

/** Drops the tables. */
export function dropViewTables(connection: DatabaseSync, tables: ViewTables): void {
  for (const table of [tables.search, tables.texts, tables.counts, tables.rows]) {
    connection.exec(`DROP TABLE IF EXISTS ${table}`)
  }
}
