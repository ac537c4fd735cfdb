import type { Collection, Db } from 'mongodb'
import type { Sequence } from '../../event-sourcing/ports/sequence.ts'
import { isDuplicateKey, orUnavailable } from './connection/availability.ts'
import { MAJORITY_COLLECTION } from './connection/majority.ts'

interface SequenceDocument {
  /** Whose numbers. */
  readonly _id: string
  /** The highest number handed out to any process. */
  readonly last: number
}

/** Where the last number of each category stands. */
export function sequencesOf(db: Db): Collection<SequenceDocument> {
  return db.collection('sequences', MAJORITY_COLLECTION)
}

/** The most numbers fetched at once; what a process has not used when it ends is a gap. */
const LARGEST_BLOCK = 200

/**
 * Numbers are fetched one at a time by a lone caller; callers that wait while a fetch is under way share the next one,
 * with three times as many for those that follow. From then on a block is fetched before the last one is used up, so
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
        // Two processes that made the document at the same moment: it is there now.
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
