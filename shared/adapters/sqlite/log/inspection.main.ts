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
  const read = (from: number, count: number) =>
    statements.asArrays<StoredEventColumns>(sql).all(from, count).map(toFragment)
  // Skips the rest of a commit that `after` falls within.
  const next = `SELECT iif(commit_index > 0, position + commit_size - commit_index - 1, ?1) AS start
    FROM events WHERE position > ?1 ORDER BY position LIMIT 1`
  const found = read(Number(statements.of(next).get(after)?.start ?? after), limit)
  const last = found.at(-1)
  if (last) found.push(...read(last.commit.position, last.left))
  const commits: Fragment['commit'][] = []
  for (const [n, fragment] of found.entries()) {
    const commit = commits.at(-1)
    if (commit && continues(found[n - 1], fragment)) commit.events.push(...fragment.commit.events)
    else if (commit || fragment.index === 0) commits.push(fragment.commit)
  }
  return commits
}

/** An event as a commit of its own, with its index in the commit that it is part of, and how many events follow there. */
type Fragment = ReturnType<typeof toFragment>

function toFragment(event: StoredEventColumns) {
  const [position, category, id, version, type, data, at, by, traceparent, requestId, commitId, ...rest] = event
  const [index, size, requestHash] = rest
  const events: DomainEvent[] = [{ type, data: parseData(position, data) }]
  const hash = requestHash === null ? {} : { requestHash }
  const metadata = { at, by, requestId, ...hash, ...(traceparent !== null && { traceparent }) }
  return {
    commit: { position, stream: { category, id }, version, commitId, events, metadata },
    index,
    left: size - index - 1,
  }
}

/** Whether an event continues the commit of the previous one. */
function continues(previous: Fragment | undefined, { commit, index }: Fragment): boolean {
  if (!previous || index === 0) return false
  const { position, version, commitId } = previous.commit
  return commit.position === position + 1 && commit.version === version + 1 && commit.commitId === commitId
}
