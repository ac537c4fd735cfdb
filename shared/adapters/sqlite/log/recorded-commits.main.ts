import type { DomainEvent, Position } from '../../../event-sourcing/event.ts'
import type { RecordedCommit } from '../../../event-sourcing/ports/inspection.ts'
import type { Statements } from '../file/statements.ts'
import { STORED_EVENT, type StoredEventColumns } from './log-tables.ts'

/**
 * Whole commits whose first event comes after a position, about `limit` events in total. A commit that the limit would
 * cut off is read to its end; damaged parts are returned as commits of their own.
 */
export function readCommits(statements: Statements, after: Position, limit: number): RecordedCommit[] {
  const sql = `SELECT ${STORED_EVENT} FROM events WHERE position > ? ORDER BY position LIMIT ?`
  const read = (from: Position, most: number) => statements.asArrays<StoredEventColumns>(sql).all(from, most)
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

function toDomainEvent([, , , , type, data]: StoredEventColumns): DomainEvent {
  return { type, data: JSON.parse(data) }
}
