import type { Collection, Db } from 'mongodb'
import type { StoredText } from '../../event-sourcing/ports/stored-text.ts'
import { orUnavailable } from './connection/availability.ts'
import { MAJORITY_COLLECTION } from './connection/majority.ts'

interface TextDocument {
  readonly _id: string
  readonly text: string
}

/** A text in a collection of the service's database. */
export function createStoredText(db: Db, name: string): StoredText {
  const collection: Collection<TextDocument> = db.collection('stored_texts', MAJORITY_COLLECTION)
  return {
    async read() {
      return (await orUnavailable(collection.findOne({ _id: name })))?.text
    },
    async replace(before, text) {
      if (before === undefined) {
        const stored = collection.updateOne({ _id: name }, { $setOnInsert: { text } }, { upsert: true })
        return (await orUnavailable(stored)).upsertedCount === 1
      }
      return (
        (await orUnavailable(collection.updateOne({ _id: name, text: before }, { $set: { text } }))).matchedCount === 1
      )
    },
  }
}
