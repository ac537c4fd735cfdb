import type { Collection } from 'mongodb'
import type { Position } from '../../../event-sourcing/event.ts'
import { type CommitDocument, lastPosition, streamOf, versionAfter } from './commit-document.ts'

/** A commit without its events' data: enough to see which streams moved, and how far. */
export interface CommitOutline {
  readonly category: string
  readonly id: string
  /** The stream's version after it. */
  readonly version: number
  /** Whether the stream began with it. */
  readonly isFirst: boolean
  readonly lastPosition: Position
}

const OUTLINE = { stream: 1, 'events.version': 1 }
/** Fetched in one go where there is no limit. */
const MOST_A_BATCH = 10_000

/** The outlines of commits that begin after a position, in order; much cheaper than the events themselves. */
export async function readOutlines(
  log: Collection<CommitDocument>,
  after: Position,
  limit?: number,
): Promise<readonly CommitOutline[]> {
  const documents = await log
    .find(
      { _id: { $gt: after } },
      { sort: { _id: 1 }, limit: limit ?? 0, batchSize: (limit ?? MOST_A_BATCH) + 1, projection: OUTLINE },
    )
    .toArray()
  return documents.map((document) => ({
    ...streamOf(document.stream),
    version: versionAfter(document),
    isFirst: document.events[0]?.version === 1,
    lastPosition: lastPosition(document),
  }))
}

/** How many aggregates of a category began with these commits. */
export function countCreations(outlines: readonly CommitOutline[], category: string): number {
  return outlines.filter((outline) => outline.isFirst && outline.category === category).length
}
