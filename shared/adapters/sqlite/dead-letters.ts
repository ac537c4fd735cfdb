import type { DeadLetter, DeadLetters } from '../../event-sourcing/dead-letters.ts'
import { reading } from './failures.ts'
import type { Statements } from './statements.ts'
import type { Writer } from './writer.ts'

/** Dead letters in a table. */
export function createDeadLetters(writer: Writer, statements: Statements): DeadLetters {
  return {
    async add(letter) {
      const { ce_source, ce_id } = letter.message.headers
      const messageId = JSON.stringify([letter.topic, ce_source, ce_id])
      await writer.write({ kind: 'dead-letter', messageId, letter: JSON.stringify(letter) })
    },
    list: async (limit) =>
      reading(() => {
        const found = statements.of('SELECT letter FROM dead_letters ORDER BY number LIMIT ?').all(limit)
        return found.map(({ letter }) => JSON.parse(String(letter)) as DeadLetter)
      }),
    count: async () => reading(() => Number(statements.of('SELECT count(*) AS n FROM dead_letters').get()?.n)),
  }
}
