import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** Remembers very many texts by 52 bits of their hashes, in 20 bytes each: a table in memory, not on disk. */
export function createSeenTexts() {
  const connection = new DatabaseSync(':memory:')
  connection.exec('PRAGMA journal_mode = OFF; CREATE TABLE seen (hash INTEGER PRIMARY KEY); BEGIN')
  const insert = connection.prepare('INSERT OR IGNORE INTO seen VALUES (?)')
  const find = connection.prepare('SELECT 1 FROM seen WHERE hash = ?')
  return {
    /** False when it was there already, or, for one in 2^52 pairs, another text of the same hash. */
    add: (text: string): boolean => insert.run(hashOf(text)).changes === 1,
    has: (text: string): boolean => find.get(hashOf(text)) !== undefined,
  }
}

const hashOf = (text: string): number => Number.parseInt(hash('sha1', text).slice(0, 13), 16)
