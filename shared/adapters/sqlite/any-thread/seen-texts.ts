import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** Remembers a great many texts by 52 bits of their hashes, in a table in memory that takes 20 bytes for each. */
export function createSeenTexts() {
  const connection = new DatabaseSync(':memory:')
  connection.exec('PRAGMA journal_mode = OFF; CREATE TABLE seen (hash INTEGER PRIMARY KEY); BEGIN')
  const insert = connection.prepare('INSERT OR IGNORE INTO seen VALUES (?)')
  const find = connection.prepare('SELECT 1 FROM seen WHERE hash = ?')
  return {
    /** False when the text is already there or, for one in 2^52 pairs, another text with the same hash. */
    add: (text: string): boolean => insert.run(hashOf(text)).changes === 1,
    has: (text: string): boolean => find.get(hashOf(text)) !== undefined,
  }
}

const hashOf = (text: string): number => Number.parseInt(hash('sha1', text).slice(0, 13), 16)
