import type { StoredText } from '../../event-sourcing/ports/stored-text.ts'
import { reading } from './file/failures.ts'
import type { Statements } from './file/statements.ts'
import type { Writer } from './writing/writer.main.ts'

const READ = 'SELECT text FROM stored_texts WHERE name = ?'
const STORE = 'INSERT INTO stored_texts VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING name'
const REPLACE = 'UPDATE stored_texts SET text = ? WHERE name = ? AND text = ? RETURNING name'

/** A text in a table. */
export function createStoredText(writer: Writer, statements: Statements, name: string): StoredText {
  return {
    read: async () =>
      reading(() => {
        const found = statements.of(READ).get(name)
        return found && String(found.text)
      }),
    async replace(before, text) {
      const [sql, values] = before === undefined ? [STORE, [name, text]] : [REPLACE, [text, name, before]]
      return (await writer.write({ kind: 'sql', sql, values })) !== undefined
    },
  }
}
