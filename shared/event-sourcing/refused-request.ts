import { hash } from 'node:crypto'
import type { CommitMetadata, StreamName } from './event.ts'
import type { Commit, EventStore } from './ports/event-store.ts'

/** Category of the streams that record refusals: one per request, shown by no view. The version counts them. */
export const REFUSED_REQUEST = 'refused-request'

const streamOf = (commitId: string): StreamName => ({ category: REFUSED_REQUEST, id: commitId })

/** The commitId of a request that may be sent again, after this many refusals. */
export function commitIdAfter(commitId: string, refusals: number): string {
  return refusals === 0 ? commitId : hash('sha256', `${commitId}\nrefused ${refusals}`)
}

/**
 * Makes the next refusal final: it takes the commitId that every attempt of the request so far would be written under,
 * so none of them can be written any more.
 *
 * @param refusals how many there were before
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
