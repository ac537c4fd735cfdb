import type { Collection, Db } from 'mongodb'
import type { LatestTimes } from '../../event-sourcing/ports/latest-times.ts'
import { orUnavailable } from './connection/availability.ts'
import { MAJORITY_COLLECTION } from './connection/majority.ts'

interface TimeDocument {
  readonly _id: { readonly kind: string; readonly id: string }
  readonly at: number
}

/** The latest times of one kind. With `$max` the latest wins, whichever process writes it and when. */
export function createLatestTimes(db: Db, kind: string): LatestTimes {
  const collection: Collection<TimeDocument> = db.collection('latest_times', MAJORITY_COLLECTION)
  return {
    async raise(times) {
      const updates = [...times].map(([id, at]) => ({
        updateOne: { filter: { _id: { kind, id } }, update: { $max: { at } }, upsert: true },
      }))
      if (updates.length > 0) await orUnavailable(collection.bulkWrite(updates, { ordered: false }))
    },
    async read(ids) {
      const wanted = ids.map((id) => ({ kind, id }))
      const documents = await orUnavailable(collection.find({ _id: { $in: wanted } }).toArray())
      return new Map(documents.map(({ _id, at }) => [_id.id, at]))
    },
  }
}
