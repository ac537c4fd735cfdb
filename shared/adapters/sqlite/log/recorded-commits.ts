import type { DomainEvent, Position } from '../../../event-sourcing/event.ts'
import type { RecordedCommit } from '../../../event-sourcing/ports/inspection.ts'
import type { Statements } from '../statements.ts'
import { STORED_EVENT } from './log-tables.ts'

type StoredEvent = readonly [
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

/** Where an event stands in the log, in its stream and in its commit. */
interface Place {
  readonly position: Position
  readonly version: number
  readonly commitId: string
  readonly index: number
  /** How many events the commit has. */
  readonly size: number
}

/**
 * Whole commits whose first event comes after a position, of about `limit` events. What the limit would cut off in the
 * middle of a commit is read too; what is damaged stands as a commit of its own.
 */
export function readCommits(statements: Statements, after: Position, limit: number): RecordedCommit[] {
  const events = statements.asArrays(`SELECT ${STORED_EVENT} FROM events WHERE position > ? ORDER BY position LIMIT ?`)
  const read = (from: Position, most: number) => events.all(from, most) as unknown as StoredEvent[]
  const [next] = read(after, 1)
  // Of a commit that `after` lies within, nothing more.
  const found = read(next && placeOf(next).index > 0 ? endOfCommit(placeOf(next)) : after, limit)
  const last = found.at(-1)
  if (last) found.push(...read(placeOf(last).position, missingAfter(placeOf(last))))
  const commits: (RecordedCommit & { readonly events: DomainEvent[] })[] = []
  let previous: Place | undefined
  for (const event of found) {
    const place = placeOf(event)
    const commit = commits.at(-1)
    if (commit && previous && goesOn(previous, place)) commit.events.push(toDomainEvent(event))
    else if (commit || place.index === 0) commits.push(toCommit(event))
    previous = place
  }
  return commits
}

function placeOf([position, , , version, , , , , , commitId, index, size]: StoredEvent): Place {
  return { position, version, commitId, index, size }
}

/** How many events of the same commit come after this one. */
const missingAfter = ({ index, size }: Place): number => size - index - 1

const endOfCommit = (place: Place): Position => (place.position + missingAfter(place)) as Position

/** Whether an event is the next one of the same commit. */
function goesOn(previous: Place, { position, version, commitId, index }: Place): boolean {
  const follows = position === previous.position + 1 && version === previous.version + 1
  return index !== 0 && commitId === previous.commitId && follows
}

function toCommit(event: StoredEvent): RecordedCommit & { readonly events: DomainEvent[] } {
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

function toDomainEvent([, , , , type, data]: StoredEvent): DomainEvent {
  return { type, data: JSON.parse(data) }
}
