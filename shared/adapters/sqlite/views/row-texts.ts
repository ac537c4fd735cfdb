import type { DatabaseSync } from 'node:sqlite'
import type { ViewTables } from './view-tables.ts'

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

/**
 * A search index consists of segments, at least one from each transaction, that are merged by and by. Left to itself
 * FTS5 merges hundreds of pages in one transaction and none in the next ones, and whoever appends meanwhile waits for it.
 * So it is merged here in each, in proportion to what was written: a fourth off the 99th percentile of appends
 * (https://sqlite.org/fts5.html#the_merge_command). Merging eight segments together instead of four takes a fifth off a
 * rebuild, and nothing measurable from searches.
 */
const MERGE_SETTINGS = { automerge: 0, usermerge: 8 } as const
/** For so many characters of text a page is merged: each text is merged several times. */
const CHARACTERS_A_PAGE = 64
/** Merged for each transaction whatever its size: small ones would not catch up after the large ones of a rebuild. */
const PAGES_A_TRANSACTION = 2
/** Merging fewer pages than this is put off to the next transactions. */
const PAGES_AT_ONCE = 8

/** The search texts of a generation (see ViewTables); for a view without any, something that does nothing. */
export function createRowTexts(connection: DatabaseSync, tables: ViewTables): RowTexts {
  if (tables.textColumns.length === 0) {
    const nothing = (): void => undefined
    return { insert: nothing, update: nothing, remove: nothing, read: () => [], flush: nothing, forget: nothing }
  }
  const { texts, search } = tables
  applyMergeSettings(connection, search)
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
  /** Pages to be merged; an estimate, which a rollback may leave some pages off. */
  let owed = 0
  /** Of the texts that the transaction put into the index and took out of it. */
  let characters = 0

  function count(folded: readonly string[]): void {
    for (const text of folded) characters += text.length
  }

  function takeOut(key: bigint, old: readonly string[]): void {
    unindex.run(key)
    deleteTexts.run(key)
    // For each trigram that is gone the index gets a mark, which is merged like any other entry.
    count(old)
  }

  const rowTexts: RowTexts = {
    insert(key, folded) {
      insertTexts.run(key, ...folded)
      index.run(key, ...folded)
      count(folded)
    },
    update(key, folded) {
      const old = rowTexts.read(key)
      if (old.every((text, n) => text === folded[n])) return
      takeOut(key, old)
      rowTexts.insert(key, folded)
    },
    remove(key) {
      takeOut(key, rowTexts.read(key))
    },
    read(key) {
      const found = select.get(key)
      return tables.textColumns.map((column) => String(found?.[column]))
    },
    flush() {
      if (characters === 0) return
      owed += PAGES_A_TRANSACTION + Math.ceil(characters / CHARACTERS_A_PAGE)
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

/** Gives a search index these settings where it has others: a new one, or one that an earlier Mint made. */
function applyMergeSettings(connection: DatabaseSync, search: string): void {
  const stored = connection.prepare(`SELECT v FROM ${search}_config WHERE k = ?`)
  for (const [name, value] of Object.entries(MERGE_SETTINGS)) {
    if (stored.get(name)?.v === value) continue
    connection.exec(`INSERT INTO ${search} (${search}, rank) VALUES ('${name}', ${value})`)
  }
}
