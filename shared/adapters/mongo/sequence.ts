import type { Collection, Db } from 'mongodb'
import { sharingRuns } from '../../async/shared-runs.ts'
import type { Sequence } from '../../event-sourcing/ports/sequence.ts'
import { isDuplicateKey, orUnavailable } from './connection/availability.ts'
import { MAJORITY_COLLECTION } from './connection/majority.ts'

interface SequenceDocument {
  /** The category that is numbered. */
  readonly _id: string
  /** The highest number issued to any process. */
  readonly last: number
}

/** The last number of each category. */
export function sequencesOf(db: Db): Collection<SequenceDocument> {
  return db.collection('sequences', MAJORITY_COLLECTION)
}

/** How many numbers are fetched at once; those unused when the process ends become a gap. */
const MAX_BLOCK = 200

/**
 * A lone caller fetches numbers one at a time. Callers that wait during a fetch share the next one, which fetches four
 * numbers for each of them, three for later callers. From then on, a block is prefetched before the previous one is
 * used up, so that callers don't wait.
 */
export function createSequence(db: Db, category: string): Sequence {
  const collection = sequencesOf(db)
  const spare: number[] = []
  let waiting = 0
  /** The size of prefetched blocks; 0: none are. */
  let ahead = 0

  const fetching = sharingRuns(async () => {
    if (waiting > 1) ahead = Math.min(Math.max(ahead, waiting * 4), MAX_BLOCK)
    const size = Math.max(ahead, 1)
    const options = { upsert: true, returnDocument: 'after' } as const
    try {
      const increment = collection.findOneAndUpdate({ _id: category }, { $inc: { last: size } }, options)
      const last = (await orUnavailable(increment))?.last ?? 0
      for (let number = last - size + 1; number <= last; number++) spare.push(number)
    } catch (error) {
      ahead = 0
      // Two processes created the document at the same moment: it exists now, so the next fetch succeeds.
      if (!isDuplicateKey(error)) throw error
    }
  })

  return {
    async next() {
      waiting += 1
      try {
        while (spare.length === 0) await fetching.join()
      } finally {
        waiting -= 1
      }
      const number = spare.shift() as number
      if (spare.length < ahead / 4) fetching.join().catch(() => undefined)
      return number
    },
  }
}
