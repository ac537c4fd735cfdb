import type { DatabaseSync } from 'node:sqlite'
import { applyMergeSettings, type ViewTables } from './view-tables.ts'

/** Keeps the search texts of rows, and the trigram index over them. */
export interface RowTexts {
  insert(key: bigint, texts: readonly string[]): void
  /** The texts of a row that changed. */
  update(key: bigint, texts: readonly string[]): void
  remove(key: bigint): void
  read(key: bigint): string[]
  /** Merges a part of the index where so much was written; before the transaction is committed. */
  flush(): void
  /** The transaction was rolled back. */
  forget(): void
}

/** For so many characters of text a page is merged (see MERGE_SETTINGS): each text is merged several times. */
const CHARACTERS_A_PAGE = 64
/** Merging fewer pages than this is put off to the next transactions. */
const PAGES_AT_ONCE = 8

/** The search texts of a generation (see ViewTables); for a view without any, something that does nothing. */
export function createRowTexts(connection: DatabaseSync, tables: ViewTables): RowTexts {
  if (tables.textColumns.length === 0) {
    const nothing = (): void => undefined
    return { insert: nothing, update: nothing, remove: nothing, read: () => [], flush: nothing, forget: nothing }
  }
  const { texts, search } = tables
  // An index that an earlier Mint made has other settings.
  applyMergeSettings(connection, tables)
  const columns = tables.textColumns.join(', ')
  const values = tables.textColumns.map(() => '?').join(', ')
  const select = connection.prepare(`SELECT ${columns} FROM ${texts} WHERE key = ?`)
  const insertTexts = connection.prepare(`INSERT INTO ${texts} (key, ${columns}) VALUES (?, ${values})`)
  const index = connection.prepare(`INSERT INTO ${search} (rowid, ${columns}) VALUES (?, ${values})`)
  // An index whose texts lie outside must be told the old ones: https://sqlite.org/fts5.html#the_delete_command
  const unindex = connection.prepare(`INSERT INTO ${search} (${search}, rowid, ${columns})
    SELECT 'delete', key, ${columns} FROM ${texts} WHERE key = ?`)
  const deleteTexts = connection.prepare(`DELETE FROM ${texts} WHERE key = ?`)
  const merge = connection.prepare(`INSERT INTO ${search} (${search}, rank) VALUES ('merge', ?)`)
  /** Pages written and not merged. */
  let owed = 0
  let characters = 0

  const rowTexts: RowTexts = {
    insert(key, folded) {
      insertTexts.run(key, ...folded)
      index.run(key, ...folded)
      for (const text of folded) characters += text.length
    },
    update(key, folded) {
      if (rowTexts.read(key).every((text, n) => text === folded[n])) return
      rowTexts.remove(key)
      rowTexts.insert(key, folded)
    },
    remove(key) {
      unindex.run(key)
      deleteTexts.run(key)
      // What is left of it in the index takes its place there as well.
      characters += 1
    },
    read(key) {
      const found = select.get(key)
      return tables.textColumns.map((column) => String(found?.[column]))
    },
    flush() {
      if (characters === 0) return
      owed += Math.ceil(characters / CHARACTERS_A_PAGE)
      characters = 0
      if (owed < PAGES_AT_ONCE) return
      merge.run(owed)
      owed = 0
    },
    forget() {
      characters = 0
    },
  }
  return rowTexts
}
