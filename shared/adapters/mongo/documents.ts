import type { Collection, Db } from 'mongodb'
import { type DocumentChange, type Documents, endOfKeys } from '../../event-sourcing/ports/documents.ts'
import { orUnavailable } from './connection/availability.ts'
import { MAJORITY_COLLECTION } from './connection/majority.ts'

interface StoredDocument {
  /** Kind and key. */
  readonly _id: string
  readonly text: string
}

const END_OF_TIME = new Date(8_640_000_000_000_000)

/** Fails when it is evaluated: only an error keeps an upsert from inserting. */
const TOO_LATE = { $toInt: { $concat: ['the lease has expired: ', '$_id'] } }

/** The documents of one kind, in a collection of the service's database. */
export function createDocuments(db: Db, kind: string): Documents {
  const collection: Collection<StoredDocument> = db.collection('documents', MAJORITY_COLLECTION)
  const idOf = (key: string): string => `${kind}/${key}`
  let last: Promise<void> = Promise.resolve()

  async function write(changes: readonly DocumentChange[], until: Date): Promise<void> {
    const isInTime = { $lt: ['$$NOW', until] }
    const removed = changes.flatMap(([key, text]) => (text === undefined ? [idOf(key)] : []))
    const written = changes.flatMap(([key, text]) => {
      if (text === undefined) return []
      const update = [{ $set: { text: { $cond: [isInTime, { $literal: text }, TOO_LATE] } } }]
      return [{ updateOne: { filter: { _id: idOf(key) }, update, upsert: true } } as const]
    })
    // Mixed, they would be a request for each change from one to the other.
    if (removed.length > 0) await collection.deleteMany({ _id: { $in: removed }, $expr: isInTime })
    if (written.length > 0) await collection.bulkWrite(written)
  }

  /** Matches the documents whose keys begin with a prefix. */
  const under = (prefix: string) => ({ _id: { $gte: idOf(prefix), $lt: idOf(endOfKeys(prefix)) } })

  async function list(prefix: string): Promise<ReadonlyMap<string, string>> {
    const found = await collection.find(under(prefix), { sort: { _id: 1 } }).toArray()
    return new Map(found.map(({ _id, text }) => [_id.slice(idOf('').length), text]))
  }

  return {
    write(changes, lease) {
      const writing = () => write(changes, lease?.expiresAt?.() ?? END_OF_TIME)
      // The driver may still be trying one that was given up: it must not undo this one.
      last = last.then(writing, writing)
      return orUnavailable(last)
    },
    async replace(key, before, text) {
      if (before === undefined) {
        const stored = collection.updateOne({ _id: idOf(key) }, { $setOnInsert: { text } }, { upsert: true })
        return (await orUnavailable(stored)).upsertedCount === 1
      }
      const replaced = collection.updateOne({ _id: idOf(key), text: before }, { $set: { text } })
      return (await orUnavailable(replaced)).matchedCount === 1
    },
    async read(key) {
      return (await orUnavailable(collection.findOne({ _id: idOf(key) })))?.text
    },
    list: (prefix) => orUnavailable(list(prefix)),
    async removeAll(prefix) {
      await orUnavailable(collection.deleteMany(under(prefix)))
    },
  }
}
