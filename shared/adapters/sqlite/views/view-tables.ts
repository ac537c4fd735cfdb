import type { DatabaseSync } from 'node:sqlite'
import { createSnapshotTable } from './snapshot-table.ts'
import type { ViewShape } from './view-shape.ts'

/**
 * The tables of one generation of a view (a rebuild makes the next one beside it), and the index that lists name. Only
 * the writer thread changes them: row-writer, row-keys, row-texts, row-counts and generation-operations run there.
 *
 * - rows: the folded states. Their integer key runs in the order of lists: creation time in milliseconds × 2^21 + place
 *   among the rows of that millisecond, by id. So every walk by key, also of the filter indexes and of the search
 *   index, meets the rows in the order in which lists show them.
 * - places, only where there are ranges: an index of the rows with nothing but key, filters and ranges, a tenth of their
 *   size: where no other index leaves few rows, all of it is gone through, at a million in 130 ms instead of 310.
 * - texts: the folded search texts, small enough to scan for terms that are too short for trigrams.
 * - search: the trigram index over texts.
 * - counts: how many rows there are from one key to the next, at the most 2,048: totals and deep offsets without a
 *   scan, and where to cut a long search into slices. `changes` grows with every row written there.
 * - snapshots: states of the past, about every SNAPSHOT_INTERVAL versions of a row.
 */
export interface ViewTables {
  readonly shape: ViewShape
  readonly generation: number
  readonly rows: string
  readonly texts: string
  readonly search: string
  readonly counts: string
  readonly places: string
  readonly snapshots: string
  readonly filterColumns: readonly string[]
  readonly rangeColumns: readonly string[]
  readonly textColumns: readonly string[]
}

/** Bits of a row's key below its creation time. */
export const PLACE_BITS = 21n

/** The ends of SQLite's integers, and so of keys. */
export const LOWEST_KEY = -(2n ** 63n)
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
    places: `${rows}_places`,
    snapshots: `${rows}_snapshots`,
    filterColumns: shape.filters.map((filter) => `filter_${filter}`),
    rangeColumns: shape.ranges.map((range) => `range_${range}`),
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
      ${tables.rangeColumns.map((column) => `${column} ANY NOT NULL,`).join(' ')}
      state TEXT NOT NULL
    ) STRICT;
    CREATE TABLE ${tables.counts} (
      first INTEGER PRIMARY KEY,
      rows INTEGER NOT NULL,
      changes INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO ${tables.counts} (first, rows) VALUES (${LOWEST_KEY}, 0);
  `)
  createSnapshotTable(connection, tables)
  const columns = [...tables.filterColumns, ...tables.rangeColumns]
  for (const column of columns) {
    connection.exec(`CREATE INDEX ${indexOf(tables, column)} ON ${tables.rows} (${column})`)
  }
  if (tables.rangeColumns.length > 0) {
    connection.exec(`CREATE INDEX ${tables.places} ON ${tables.rows} (key, ${columns.join(', ')})`)
  }
  if (tables.textColumns.length === 0) return
  connection.exec(`
    CREATE TABLE ${tables.texts} (key INTEGER PRIMARY KEY, ${tables.textColumns.map((c) => `${c} TEXT NOT NULL`).join(', ')}) STRICT;
    CREATE VIRTUAL TABLE ${tables.search} USING fts5 (
      ${tables.textColumns.join(', ')}, content = '${tables.texts}', content_rowid = 'key', columnsize = 0, tokenize = 'trigram case_sensitive 1'
    );
  `)
}

/** The index of the rows by one column; within a value they are in the order of their keys. */
export function indexOf({ rows }: ViewTables, column: string): string {
  return `${rows}_by_${column}`
}

/** Drops the tables, and with them their indexes. */
export function dropViewTables(connection: DatabaseSync, tables: ViewTables): void {
  for (const table of [tables.search, tables.texts, tables.counts, tables.snapshots, tables.rows]) {
    connection.exec(`DROP TABLE IF EXISTS ${table}`)
  }
}
