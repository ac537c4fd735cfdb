import type { Collection, Db } from 'mongodb'
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
  const waiting: PromiseWithResolvers<number>[] = []
  const spare: number[] = []
  let fetching = false
  /** The size of the blocks fetched ahead; 0: none are. */
  let ahead = 0

  const isLow = (): boolean => spare.length < ahead / 4

  async function fetchBlock(size: number): Promise<number[]> {
    const document = await collection.findOneAndUpdate(
      { _id: category },
      { $inc: { last: size } },
      { upsert: true, returnDocument: 'after' },
    )
    const last = document?.last ?? 0
    return Array.from({ length: size }, (_, index) => last - size + 1 + index)
  }

  async function serve(): Promise<void> {
    fetching = true
    while (waiting.length > 0 || isLow()) {
      if (waiting.length > 1) ahead = Math.min(Math.max(ahead, waiting.length * 4), LARGEST_BLOCK)
      try {
        spare.push(...(await orUnavailable(fetchBlock(Math.max(ahead, 1)))))
      } catch (error) {
        ahead = 0
        // Two processes created the document at the same moment: now it exists.
        if (isDuplicateKey(error)) continue
        for (const caller of waiting.splice(0)) caller.reject(error)
      }
      while (waiting.length > 0 && spare.length > 0) waiting.shift()?.resolve(spare.shift() ?? Number.NaN)
    }
    fetching = false
  }

  return {
    next() {
      const number = spare.shift()
      if (isLow() && !fetching) void serve()
      if (number !== undefined) return Promise.resolve(number)
      const caller = Promise.withResolvers<number>()
      waiting.push(caller)
      if (!fetching) void serve()
      return caller.promise
    },
  }
}
