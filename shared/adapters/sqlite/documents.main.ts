import { type Documents, endOfKeys } from '../../event-sourcing/ports/documents.ts'
import { reading } from './file/failures.ts'
import type { Statements } from './file/statements.ts'
import type { Writer } from './writing/writer.main.ts'

const WRITE = `
  INSERT INTO documents SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true
  ON CONFLICT DO UPDATE SET text = excluded.text`
const STORE = 'INSERT INTO documents VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING key'
const REPLACE = 'UPDATE documents SET text = ? WHERE kind = ? AND key = ? AND text = ? RETURNING key'
const REMOVE = 'DELETE FROM documents WHERE kind = ? AND key IN (SELECT value FROM json_each(?))'
const REMOVE_ALL = 'DELETE FROM documents WHERE kind = ? AND key >= ? AND key < ?'
const READ = 'SELECT text FROM documents WHERE kind = ? AND key = ?'
const LIST = 'SELECT key, text FROM documents WHERE kind = ? AND key >= ? AND key < ? ORDER BY key'

/** The documents of one kind, in a table. */
export function createDocuments(writer: Writer, statements: Statements, kind: string): Documents {
  return {
    async write(changes) {
      const removed = changes.flatMap(([key, text]) => (text === undefined ? [key] : []))
      const written = changes.filter(([, text]) => text !== undefined)
      const values = (given: unknown) => [kind, JSON.stringify(given)]
      // Operations become durable in the order in which they are given to the writer.
      await Promise.all([
        removed.length > 0 && writer.write({ kind: 'sql', sql: REMOVE, values: values(removed) }),
        written.length > 0 && writer.write({ kind: 'sql', sql: WRITE, values: values(written) }),
      ])
    },
    async replace(key, before, text) {
      const [sql, values] = before === undefined ? [STORE, [kind, key, text]] : [REPLACE, [text, kind, key, before]]
      return (await writer.write({ kind: 'sql', sql, values })) !== undefined
    },
    read: async (key) =>
      reading(() => {
        const found = statements.of(READ).get(kind, key)
        return found && String(found.text)
      }),
    list: async (prefix) =>
      reading(() => {
        const found = statements.of(LIST).all(kind, prefix, endOfKeys(prefix))
        return new Map(found.map(({ key, text }) => [String(key), String(text)]))
      }),
    async removeAll(prefix) {
      await writer.write({ kind: 'sql', sql: REMOVE_ALL, values: [kind, prefix, endOfKeys(prefix)] })
    },
  }
}
