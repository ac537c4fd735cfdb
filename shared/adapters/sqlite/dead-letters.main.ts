import {
  type DeadLetter,
  type DeadLetters,
  endOfIdentities,
  identityOf,
  storedIdentities,
} from '../../event-sourcing/ports/dead-letters.ts'
import { reading } from './file/failures.ts'
import type { Statements } from './file/statements.ts'
import type { Writer } from './writing/writer.main.ts'

const ADD = 'INSERT OR REPLACE INTO dead_letters (message_id, letter) VALUES (?, ?)'
const REMOVE = "DELETE FROM dead_letters WHERE message_id IN (?, ?) AND letter ->> 'at' = ?"
const LIST = 'SELECT letter FROM dead_letters ORDER BY number LIMIT ? OFFSET ?'
const FIND = 'SELECT letter FROM dead_letters WHERE message_id >= ? AND message_id < ? LIMIT 1'

/** Dead letters in a table. */
export function createDeadLetters(writer: Writer, statements: Statements): DeadLetters {
  return {
    async add(letter) {
      await writer.write({ kind: 'sql', sql: ADD, values: [identityOf(letter), JSON.stringify(letter)] })
    },
    async remove(letter) {
      await writer.write({ kind: 'sql', sql: REMOVE, values: [...storedIdentities(letter), letter.at] })
    },
    list: async (limit, offset = 0) => reading(() => statements.of(LIST).all(limit, offset).map(toLetter)),
    find: async (identity) =>
      reading(() => statements.of(FIND).all(identity, endOfIdentities(identity)).map(toLetter)[0]),
    count: async () => reading(() => Number(statements.of('SELECT count(*) AS n FROM dead_letters').get()?.n)),
  }
}

const toLetter = ({ letter }: Record<string, unknown>): DeadLetter => JSON.parse(String(letter))
