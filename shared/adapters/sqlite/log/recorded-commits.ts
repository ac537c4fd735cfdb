import type { DomainEvent, Position } from '../../../event-sourcing/event.ts'
import type { RecordedCommit } from '../../../event-sourcing/inspection.ts'
import type { Statements } from '../statements.ts'

type EventRow = readonly [
  position: Position,
  category: string,
  streamId: string,
  version: number,
  type: string,
  data: string,
  at: number,
  by: string,
  requestId: string,
  commitId: string,
  commitIndex: number,
  commitSize: number,
  requestHash: string | null,
]

const EVENTS_AFTER = `SELECT position, category, stream_id, version, type, data, at, by, request_id, commit_id, commit_index,
  commit_size, request_hash FROM events WHERE position > ? ORDER BY position LIMIT ?`

/**
 * Whole commits whose first event comes after a position, of about `limit` events. What the limit would cut off in the
 * middle of a commit is read too; what is damaged stands as a commit of its own.
 */
export function readCommits(statements: Statements, after: Position, limit: number): RecordedCommit[] {
  const events = statements.asArrays(EVENTS_AFTER)
  const read = (from: Position, most: number) => events.all(from, most) as unknown as EventRow[]
  const [next] = read(after, 1)
  // Of a commit that `after` lies within, nothing more.
  const found = read(next && next[10] > 0 ? ((next[0] + missingOf(next)) as Position) : after, limit)
  const last = found.at(-1)
  if (last) found.push(...read(last[0], missingOf(last)))
  const commits: (RecordedCommit & { readonly events: DomainEvent[] })[] = []
  let previous: EventRow | undefined
  for (const event of found) {
    const commit = commits.at(-1)
    if (commit && previous && goesOn(previous, event)) commit.events.push(toDomainEvent(event))
    else if (commit || event[10] === 0) commits.push(toCommit(event))
    previous = event
  }
  return commits
}

/** How many events of the same commit come after this one. */
const missingOf = (event: EventRow): number => event[11] - event[10] - 1

/** Whether an event is the next one of the same commit. */
function goesOn(previous: EventRow, event: EventRow): boolean {
  return event[10] !== 0 && event[9] === previous[9] && event[0] === previous[0] + 1 && event[3] === previous[3] + 1
}

function toCommit(event: EventRow): RecordedCommit & { readonly events: DomainEvent[] } {
  const [position, category, id, version, , , at, by, requestId, commitId, , , requestHash] = event
  return {
    position,
    stream: { category, id },
    version,
    commitId,
    events: [toDomainEvent(event)],
    metadata: requestHash === null ? { at, by, requestId } : { at, by, requestId, requestHash },
  }
}

function toDomainEvent([, , , , type, data]: EventRow): DomainEvent {
  return { type, data: JSON.parse(data) }
}
