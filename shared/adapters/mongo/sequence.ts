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

/** The most numbers fetched at once; those unused when the process ends become a gap. */
const LARGEST_BLOCK = 200

/**
 * A lone caller fetches numbers one at a time; callers that wait during a fetch share the next one, which fetches three
 * times as many again for those that follow. From then on a block is fetched before the previous one is used up, so
 * that nobody waits for it.
 */
export function createSequence(db: Db, category: string): Sequence {
  const collection = sequencesOf(db)
  const spare: number[] = []
  let waiting = 0
  /** The size of the blocks fetched ahead; 0: none are. */
  let ahead = 0

  const fetching = sharingRuns(async () => {
    if (waiting > 1) ahead = Math.min(Math.max(ahead, waiting * 4), LARGEST_BLOCK)
    const size = Math.max(ahead, 1)
    const options = { upsert: true, returnDocument: 'after' } as const
    try {
      const increment = collection.findOneAndUpdate({ _id: category }, { $inc: { last: size } }, options)
      const last = (await orUnavailable(increment))?.last ?? 0
      for (let number = last - size + 1; number <= last; number++) spare.push(number)
    } catch (error) {
      ahead = 0
      // Two processes created the document at the same moment: now it exists.
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
