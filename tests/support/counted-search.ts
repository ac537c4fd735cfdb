import { openForReading } from '../../shared/adapters/sqlite/file/connection.ts'
import { prepareStatements, type Statements } from '../../shared/adapters/sqlite/file/statements.ts'
import { toTableQuery } from '../../shared/adapters/sqlite/lists/list-query.ts'
import { createListCache, slicedList } from '../../shared/adapters/sqlite/lists/sliced-list.reader.ts'
import { shapeOf } from '../../shared/adapters/sqlite/views/view-shape.ts'
import { viewTables } from '../../shared/adapters/sqlite/views/view-tables.ts'
import type { ListQuery } from '../../shared/event-sourcing/ports/view.ts'
import { jobs } from './jobs.ts'

/** Lists jobs as the reader thread does, from a closed or open file, and counts the work. */
export function countedSearches(file: string) {
  const connection = openForReading(file, 4_000)
  let [texts, keys] = [0, 0]
  // SQLite calls this instead of its built-in function.
  connection.function('instr', { deterministic: true }, (text, term) => {
    texts += 1
    return String(text).indexOf(String(term)) + 1
  })
  const plain = prepareStatements(connection)
  const statements: Statements = {
    ...plain,
    asBigIntArrays<Row>(sql: string) {
      const statement = plain.asBigIntArrays<Row>(sql)
      const counted = {
        get: statement.get.bind(statement),
        all(...values: never[]) {
          const found = statement.all(...values)
          keys += found.length
          return found
        },
      }
      return counted as unknown as typeof statement
    },
  }
  const shape = shapeOf(jobs)
  const cache = createListCache()
  return {
    close: () => connection.close(),
    search(query: ListQuery) {
      /** How often a text was searched for a word, and the most such searches and read keys between two yields. */
      const slices = slicedList(statements, viewTables(shape, 1), toTableQuery(shape, query), cache)
      const work = { texts: 0, textsAtOnce: 0, keysAtOnce: 0 }
      for (;;) {
        texts = 0
        keys = 0
        const { done, value } = slices.next()
        work.texts += texts
        work.textsAtOnce = Math.max(work.textsAtOnce, texts)
        work.keysAtOnce = Math.max(work.keysAtOnce, keys)
        if (!done) continue
        if (typeof value === 'string') throw new Error(value)
        return { ...work, total: value.total }
      }
    },
  }
}
