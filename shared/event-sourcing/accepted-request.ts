import type { CommitMetadata, DomainEvent, LogEvent, StreamName } from './event.ts'
import type { Commit } from './ports/event-store.ts'

/** The streams of keyed requests that were accepted and changed nothing, one for each, by commitId. No view shows them. */
export const ACCEPTED_REQUEST = 'accepted-request'

/** Where the aggregate was that the request was for; that is what its answer shows. */
export interface AcceptedRequest {
  readonly stream: StreamName
  readonly version: number
}

const TYPE = 'RequestAccepted.v1'

/**
 * Remembers a request that changed nothing: in the log, under its own commitId, and not on the aggregate's stream, whose
 * version and history it leaves alone.
 */
export function acceptedRequestCommit(commitId: string, request: AcceptedRequest, metadata: CommitMetadata): Commit {
  const event: DomainEvent = { type: TYPE, data: { ...request.stream, version: request.version } }
  return {
    stream: { category: ACCEPTED_REQUEST, id: commitId },
    expectedVersion: 0,
    commitId,
    events: [event],
    metadata,
    rows: [],
  }
}

/** What an event of such a stream says. Throws an Error when it is none. */
export function readAcceptedRequest({ type, data }: Pick<LogEvent, 'type' | 'data'>): AcceptedRequest {
  const { category, id, version } = data as Partial<StreamName> & { readonly version?: unknown }
  if (type !== TYPE || typeof category !== 'string' || typeof id !== 'string' || typeof version !== 'number') {
    throw new Error(`${type} is not an event of an accepted request: run the version of Mint that wrote it`)
  }
  return { stream: { category, id }, version }
}
