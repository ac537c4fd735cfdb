import type { CommitMetadata, DomainEvent, LogEvent, StreamName } from './event.ts'
import type { Commit } from './ports/event-store.ts'

/** Category of the streams that record accepted requests that changed nothing: one per commitId, shown by no view. */
export const ACCEPTED_REQUEST = 'accepted-request'

/** The aggregate and version that the request was answered with. */
export interface AcceptedRequest {
  readonly stream: StreamName
  readonly version: number
}

const TYPE = 'RequestAccepted.v1'

/**
 * Records a request that changed nothing under its own commitId, on a stream of its own: the aggregate's version and
 * history stay as they are. It is only appended while the aggregate is at that version.
 */
export function acceptedRequestCommit(commitId: string, request: AcceptedRequest, metadata: CommitMetadata): Commit {
  const event: DomainEvent = { type: TYPE, data: { ...request.stream, version: request.version } }
  return {
    stream: { category: ACCEPTED_REQUEST, id: commitId },
    expectedVersion: 0,
    dependsOn: request,
    commitId,
    events: [event],
    metadata,
    rows: [],
  }
}

/** Parses an event of such a stream. Throws an Error when it isn't one. */
export function readAcceptedRequest({ type, data }: Pick<LogEvent, 'type' | 'data'>): AcceptedRequest {
  const { category, id, version } = data as Partial<StreamName> & { readonly version?: unknown }
  if (type !== TYPE || typeof category !== 'string' || typeof id !== 'string' || typeof version !== 'number') {
    throw new Error(`${type} is not an accepted-request event: run the version of Mint that wrote it`)
  }
  return { stream: { category, id }, version }
}
