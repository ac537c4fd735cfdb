import type { DatabaseSync } from 'node:sqlite'
import type { ViewTables } from './view-tables.ts'

/** Keeps the search texts of rows, and the trigram index over them. */
export interface RowTexts {
  insert(key: bigint, texts: readonly string[]): void
  /** The texts of a row that changed. */
  update(key: bigint, texts: readonly string[]): void
  remove(key: bigint): void
  read(key: bigint): string[]
}

/** The search texts of a generation (see ViewTables); for a view without any, something that does nothing. */
export function createRowTexts(connection: DatabaseSync, tables: ViewTables): RowTexts {
  if (tables.textColumns.length === 0) {
    return { insert: () => undefined, update: () => undefined, remove: () => undefined, read: () => [] }
  }
  const { texts, search } = tables
  const columns = tables.textColumns.join(', ')
  const values = tables.textColumns.map(() => '?').join(', ')
  const select = connection.prepare(`SELECT ${columns} FROM ${texts} WHERE key = ?`)
  const insertTexts = connection.prepare(`INSERT INTO ${texts} (key, ${columns}) VALUES (?, ${values})`)
  const index = connection.prepare(`INSERT INTO ${search} (rowid, ${columns}) VALUES (?, ${values})`)
  // An index whose texts lie outside must be told the old ones: https://sqlite.org/fts5.html#the_delete_command
  const unindex = connection.prepare(`INSERT INTO ${search} (${search}, rowid, ${columns})
    SELECT 'delete', key, ${columns} FROM ${texts} WHERE key = ?`)
  const deleteTexts = connection.prepare(`DELETE FROM ${texts} WHERE key = ?`)

  const rowTexts: RowTexts = {
    insert(key, folded) {
      insertTexts.run(key, ...folded)
      index.run(key, ...folded)
    },
    update(key, folded) {
      if (rowTexts.read(key).every((text, n) => text === folded[n])) return
      rowTexts.remove(key)
      rowTexts.insert(key, folded)
    },
    remove(key) {
      unindex.run(key)
      deleteTexts.run(key)
    },
    read(key) {
      const found = select.get(key)
      return tables.textColumns.map((column) => String(found?.[column]))
    },
  }
  return rowTexts
}
