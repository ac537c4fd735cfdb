import type { Commit } from '../../../event-sourcing/ports/event-store.ts'
import type { EncodedCommit } from '../writing/write-operations.ts'

/** A commit as it goes into the table of events, upon a version of its stream. */
export function encodeCommit(
  { stream, commitId, events, metadata }: Pick<Commit, 'stream' | 'commitId' | 'events' | 'metadata'>,
  expectedVersion: number,
): EncodedCommit {
  return {
    commitId,
    category: stream.category,
    streamId: stream.id,
    expectedVersion,
    at: metadata.at,
    by: metadata.by,
    requestId: metadata.requestId,
    requestHash: metadata.requestHash ?? null,
    events: events.map(({ type, data }) => [type, JSON.stringify(data)] as const),
  }
}
