import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RowTexts } from './view-shape.ts'
import type { ViewTables } from './view-tables.ts'

/** One page of the index is merged for this many characters of text: each text is merged several times. */
const CHARACTERS_PER_PAGE = 64
/** Pages merged in every transaction, whatever its size: otherwise small ones would never catch up after a build. */
const PAGES_PER_TRANSACTION = 2

/** Maintains the texts of a generation's rows (see ViewTables), and the trigram index over them. */
export function createRowTexts(connection: DatabaseSync, tables: ViewTables) {
  const { texts, search } = tables
  const columns = ['text', ...tables.columns]
  const select = connection.prepare(`SELECT ${columns.join(', ')} FROM ${texts} WHERE key = ?`)
  select.setReturnArrays(true)
  select.setReadBigInts(true)
  const insertText = connection.prepare(
    `INSERT INTO ${texts} (key, ${columns.join(', ')}) VALUES (?, ${columns.map(() => '?').join(', ')})`,
  )
  const updateText = connection.prepare(
    `UPDATE ${texts} SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE key = ?`,
  )
  const index = connection.prepare(`INSERT INTO ${search} (rowid, text) VALUES (?, ?)`)
  // An index with external content needs the old text to delete it: https://sqlite.org/fts5.html#the_delete_command
  const unindex = connection.prepare(`INSERT INTO ${search} (${search}, rowid, text) VALUES ('delete', ?, ?)`)
  const deleteText = connection.prepare(`DELETE FROM ${texts} WHERE key = ?`)
  const merge = connection.prepare(`INSERT INTO ${search} (${search}, rank) VALUES ('merge', ?)`)
  /** Characters added to or removed from the index in this transaction, and in those rolled back before it. */
  let characters = 0

  const read = (key: bigint) => select.get(key) as unknown as RowTexts

  function change(statement: StatementSync, key: bigint, text: string): void {
    statement.run(key, text)
    // For each removed trigram the index gets a marker, which is merged like any other entry.
    characters += text.length
  }

  return {
    insert(key: bigint, texts: RowTexts): void {
      insertText.run(key, ...texts)
      change(index, key, texts[0])
    },
    update(key: bigint, texts: RowTexts): void {
      const [[old], [text]] = [read(key), texts]
      updateText.run(...texts, key)
      if (old === text) return
      change(unindex, key, old)
      change(index, key, text)
    },
    remove(key: bigint): void {
      change(unindex, key, read(key)[0])
      deleteText.run(key)
    },
    read,
    /** Merges a part of the index, in proportion to what was written; call it before the transaction commits. */
    flush(): void {
      if (characters === 0) return
      merge.run(PAGES_PER_TRANSACTION + Math.ceil(characters / CHARACTERS_PER_PAGE))
      characters = 0
    },
  }
}
