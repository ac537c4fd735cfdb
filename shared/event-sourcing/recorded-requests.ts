import { hash } from 'node:crypto'
import type { CommitMetadata, DomainEvent, LogEvent, StreamName } from './event.ts'
import type { Commit, EventStore } from './ports/event-store.ts'

/** Category of the streams that record accepted requests that changed nothing: one per commitId, in no view. */
export const ACCEPTED_REQUEST = 'accepted-request'

/** The aggregate and version that the request was answered with. */
export interface AcceptedRequest {
  readonly stream: StreamName
  readonly version: number
}

const TYPE = 'RequestAccepted.v1'

/**
 * Records a request that changed nothing under its commitId, in a separate stream, so that the aggregate's version and
 * history stay the same. The append fails unless the aggregate is still at that version.
 */
export function acceptedRequestCommit(commitId: string, request: AcceptedRequest, metadata: CommitMetadata): Commit {
  const event: DomainEvent = { type: TYPE, data: { ...request.stream, version: request.version } }
  return {
    stream: { category: ACCEPTED_REQUEST, id: commitId },
    expectedVersion: 0,
    dependsOn: [request],
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

/** Category of the streams that record refusals: one per request, in no view. The version is the number of refusals. */
export const REFUSED_REQUEST = 'refused-request'

const streamOf = (commitId: string): StreamName => ({ category: REFUSED_REQUEST, id: commitId })

/** The commitId of a request that may be sent again, after this many refusals. */
export function commitIdAfter(commitId: string, refusals: number): string {
  return refusals === 0 ? commitId : hash('sha256', `${commitId}\nrefused ${refusals}`)
}

/**
 * Makes a refusal final: takes the commitId that every attempt at the request so far would be written under, so that none
 * of them can be written any more. `refusals`: how many there were before.
 */
export function refusedRequestCommit(commitId: string, refusals: number, metadata: CommitMetadata): Commit {
  return {
    stream: streamOf(commitId),
    expectedVersion: refusals,
    commitId: commitIdAfter(commitId, refusals),
    events: [{ type: 'RequestRefused.v1', data: {} }],
    metadata,
    rows: [],
  }
}

/** How often a request was refused. */
export async function countRefusals(events: EventStore, commitId: string): Promise<number> {
  const [refusals = 0] = await events.confirmedVersions([streamOf(commitId)])
  return refusals
}
