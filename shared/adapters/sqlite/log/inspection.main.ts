import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DomainEvent, Position } from '../../../event-sourcing/event.ts'
import type { Inspection, RecordedCommit } from '../../../event-sourcing/ports/inspection.ts'
import { openForReading } from '../file/connection.ts'
import { reading } from '../file/failures.ts'
import { inSnapshot, prepareStatements, type Statements } from '../file/statements.ts'
import { copyViews } from '../verify/view-copy.main.ts'
import { headOf, parseData } from './log-reads.ts'
import { STORED_EVENT, type StoredEventColumns } from './log-tables.ts'

const CACHE_KILOBYTES = 16_000

/** An inspection on its own connection, for threads other than the one that has the database open. */
export function openSqliteInspection(file: string): Inspection & { close(): void } {
  const statements = prepareStatements(openForReading(file, CACHE_KILOBYTES))
  return { ...createInspection(statements), close: () => statements.connection.close() }
}

/** Reads the file's tables on the calling thread, and yields to the event loop after each result. */
export function createInspection(statements: Statements): Inspection {
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
    brokenFiles: () =>
      read(() => {
        const found = statements.asArrays<[message: string]>('PRAGMA integrity_check(100)').all()
        return found.map(([message]) => message).filter((message) => message !== 'ok')
      }),
    lastNumber: (category) =>
      read(() => Number(statements.of('SELECT last FROM sequences WHERE category = ?').get(category)?.last ?? 0)),
    copyViews: (views, fold) => copyViews(statements.connection.location() ?? '', views, fold),
  }
}

/**
 * Whole commits whose first event comes after a position, about `limit` events in total. A commit that the limit would
 * cut off is read to its end; fragments of a damaged commit are returned as separate commits.
 */
function readCommits(statements: Statements, after: Position, limit: number): RecordedCommit[] {
  const sql = `SELECT ${STORED_EVENT} FROM events WHERE position > ? ORDER BY position LIMIT ?`
  const read = (from: Position, count: number) => statements.asArrays<StoredEventColumns>(sql).all(from, count)
  const [next] = read(after, 1)
  // Skips the rest of a commit that `after` falls within.
  const found = read(next && indexOf(next) > 0 ? ((next[0] + missingAfter(next)) as Position) : after, limit)
  const last = found.at(-1)
  if (last) found.push(...read(last[0], missingAfter(last)))
  const commits: (RecordedCommit & { readonly events: DomainEvent[] })[] = []
  for (const [index, event] of found.entries()) {
    const commit = commits.at(-1)
    if (commit && continues(found[index - 1], event)) commit.events.push(toDomainEvent(event))
    else if (commit || indexOf(event) === 0) commits.push(toCommit(event))
  }
  return commits
}

const indexOf = ([, , , , , , , , , , , commitIndex]: StoredEventColumns): number => commitIndex

/** How many events of the same commit follow this one. */
const missingAfter = ([, , , , , , , , , , , commitIndex, commitSize]: StoredEventColumns): number =>
  commitSize - commitIndex - 1

/** Whether an event continues the commit of the previous one. */
function continues(previous: StoredEventColumns | undefined, event: StoredEventColumns): boolean {
  if (!previous || indexOf(event) === 0) return false
  const [position, , , version, , , , , , , commitId] = previous
  return event[0] === position + 1 && event[3] === version + 1 && event[10] === commitId
}

function toCommit(event: StoredEventColumns): RecordedCommit & { readonly events: DomainEvent[] } {
  const [position, category, id, version, , , at, by, traceparent, requestId, commitId, , , requestHash] = event
  return {
    position,
    stream: { category, id },
    version,
    commitId,
    events: [toDomainEvent(event)],
    metadata: {
      at,
      by,
      requestId,
      ...(requestHash !== null && { requestHash }),
      ...(traceparent !== null && { traceparent }),
    },
  }
}

function toDomainEvent([position, , , , type, data]: StoredEventColumns): DomainEvent {
  return { type, data: parseData(position, data) }
}
