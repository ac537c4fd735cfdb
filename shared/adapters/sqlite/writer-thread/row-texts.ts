import type { DatabaseSync } from 'node:sqlite'
import type { ViewTables } from '../any-thread/view-tables.ts'

/** For this many characters of text, one page of the index is merged: each text is merged several times. */
const CHARACTERS_A_PAGE = 64
/** Pages merged in every transaction regardless of its size: small ones alone would not catch up after a build. */
const PAGES_A_TRANSACTION = 2

/** Maintains the search texts of a generation's rows (see ViewTables), and the trigram index over them. */
export function createRowTexts(connection: DatabaseSync, { texts, search, textColumns }: ViewTables) {
  const columns = textColumns.join(', ')
  const values = textColumns.map(() => '?').join(', ')
  const select = connection.prepare(`SELECT ${columns} FROM ${texts} WHERE key = ?`)
  const insertTexts = connection.prepare(`INSERT INTO ${texts} (key, ${columns}) VALUES (?, ${values})`)
  const index = connection.prepare(`INSERT INTO ${search} (rowid, ${columns}) VALUES (?, ${values})`)
  // An index with external content needs the old texts to delete them: https://sqlite.org/fts5.html#the_delete_command
  const unindex = connection.prepare(
    `INSERT INTO ${search} (${search}, rowid, ${columns}) VALUES ('delete', ?, ${values})`,
  )
  const deleteTexts = connection.prepare(`DELETE FROM ${texts} WHERE key = ?`)
  const merge = connection.prepare(`INSERT INTO ${search} (${search}, rank) VALUES ('merge', ?)`)
  /** Characters added to or removed from the index in this transaction, and in those rolled back before it. */
  let characters = 0

  function read(key: bigint): string[] {
    const found = select.get(key)
    return textColumns.map((column) => String(found?.[column]))
  }

  function insert(key: bigint, folded: readonly string[]): void {
    insertTexts.run(key, ...folded)
    index.run(key, ...folded)
    characters += folded.join('').length
  }

  function remove(key: bigint, old = read(key)): void {
    unindex.run(key, ...old)
    deleteTexts.run(key)
    // For each removed trigram the index gets a marker, which is merged like any other entry.
    characters += old.join('').length
  }

  return {
    insert,
    /** Updates the texts of a row if they changed. */
    update(key: bigint, folded: readonly string[]): void {
      const old = read(key)
      if (old.every((text, n) => text === folded[n])) return
      remove(key, old)
      insert(key, folded)
    },
    remove: (key: bigint) => remove(key),
    read,
    /** Merges a part of the index, in proportion to what was written; call it before the transaction commits. */
    flush(): void {
      if (characters === 0) return
      merge.run(PAGES_A_TRANSACTION + Math.ceil(characters / CHARACTERS_A_PAGE))
      characters = 0
    },
  }
}
