import type { Commit } from '../../../../event-sourcing/ports/event-store.ts'
import type { EncodedCommit } from '../../any-thread/write-operations.ts'

/** Encodes a commit for the table of events, based on a version of its stream. */
export function encodeCommit(
  { stream, commitId, events, metadata }: Pick<Commit, 'stream' | 'commitId' | 'events' | 'metadata'>,
  expectedVersion: number,
): EncodedCommit {
  const { category, id: streamId } = stream
  const { at, by, requestId, requestHash = null } = metadata
  return {
    commitId,
    category,
    streamId,
    expectedVersion,
    events: events.map(({ type, data }, index) => {
      const version = expectedVersion + 1 + index
      const recorded = [category, streamId, version, type, JSON.stringify(data), at, by, requestId, commitId] as const
      return [...recorded, index, events.length, requestHash]
    }),
  }
}
