import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Inspection } from '../../../event-sourcing/ports/inspection.ts'
import { openForReading } from '../file/connection.ts'
import { reading } from '../file/failures.ts'
import { inSnapshot, prepareStatements, type Statements } from '../file/statements.ts'
import { copyViews } from '../verify/view-copy.main.ts'
import { headOf } from './log-reads.ts'
import { readCommits } from './recorded-commits.main.ts'

const CACHE_KILOBYTES = 16_000

/** An inspection on its own connection, for a thread other than the one that has the database open. */
export function openSqliteInspection(file: string, copyName: string): Inspection & { close(): void } {
  const statements = prepareStatements(openForReading(file, CACHE_KILOBYTES))
  return { ...createInspection(statements, copyName), close: () => statements.connection.close() }
}

/**
 * Reads the file's tables on the calling thread; other work gets a turn after each result. `copyName`: names copies of
 * its views, of which there can then be one at a time.
 */
export function createInspection(statements: Statements, copyName?: string): Inspection {
  async function read<T>(query: () => T): Promise<T> {
    const found = reading(() => inSnapshot(statements, query))
    await nextTurn()
    return found
  }

  return {
    head: () => read(() => headOf(statements)),
    readCommits: (after, limit) => read(() => readCommits(statements, after, limit)),
    repeatedCommits: () =>
      read(() =>
        statements
          .asArrays<[commitId: string, times: number]>(
            'SELECT commit_id, count(*) FROM events WHERE commit_index = 0 GROUP BY commit_id HAVING count(*) > 1',
          )
          .all(),
      ),
    lastNumber: (category) =>
      read(() => Number(statements.of('SELECT last FROM sequences WHERE category = ?').get(category)?.last ?? 0)),
    copyViews: (views, fold) =>
      copyViews({ file: statements.connection.location() ?? '', views, fold, name: copyName }),
  }
}
