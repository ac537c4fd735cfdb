import type { DatabaseSync } from 'node:sqlite'
import type { ViewTables } from '../any-thread/view-tables.ts'

/** For this many characters of text, one page of the index is merged: each text is merged several times. */
const CHARACTERS_A_PAGE = 64
/** Pages merged in every transaction regardless of its size: small ones alone would not catch up after a build. */
const PAGES_A_TRANSACTION = 2

/** Maintains the search text of a generation's rows (see ViewTables), and the trigram index over it. */
export function createRowTexts(connection: DatabaseSync, { texts, search }: ViewTables) {
  const select = connection.prepare(`SELECT text FROM ${texts} WHERE key = ?`)
  const insertText = connection.prepare(`INSERT INTO ${texts} (key, text) VALUES (?, ?)`)
  const index = connection.prepare(`INSERT INTO ${search} (rowid, text) VALUES (?, ?)`)
  // An index with external content needs the old text to delete it: https://sqlite.org/fts5.html#the_delete_command
  const unindex = connection.prepare(`INSERT INTO ${search} (${search}, rowid, text) VALUES ('delete', ?, ?)`)
  const deleteText = connection.prepare(`DELETE FROM ${texts} WHERE key = ?`)
  const merge = connection.prepare(`INSERT INTO ${search} (${search}, rank) VALUES ('merge', ?)`)
  /** Characters added to or removed from the index in this transaction, and in those rolled back before it. */
  let characters = 0

  const read = (key: bigint): string => String(select.get(key)?.text)

  function insert(key: bigint, text: string): void {
    insertText.run(key, text)
    index.run(key, text)
    characters += text.length
  }

  function remove(key: bigint, old = read(key)): void {
    unindex.run(key, old)
    deleteText.run(key)
    // For each removed trigram the index gets a marker, which is merged like any other entry.
    characters += old.length
  }

  return {
    insert,
    /** Updates the text of a row if it changed. */
    update(key: bigint, text: string): void {
      const old = read(key)
      if (old === text) return
      remove(key, old)
      insert(key, text)
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
