import type { Commit } from '../../../event-sourcing/ports/event-store.ts'
import type { EncodedCommit } from '../writing/write-operations.ts'

/** Encodes a commit for the table of events; its events' versions follow `expectedVersion`. */
export function encodeCommit(
  { stream, commitId, events, metadata }: Pick<Commit, 'stream' | 'commitId' | 'events' | 'metadata'>,
  expectedVersion: number,
): EncodedCommit {
  const { at, by, requestId, requestHash = null, traceparent = null } = metadata
  return {
    commitId,
    category: stream.category,
    streamId: stream.id,
    expectedVersion,
    at,
    by,
    requestId,
    requestHash,
    traceparent,
    events: events.map(({ type, data }) => [type, JSON.stringify(data)]),
  }
}
