import type { Collection, Db } from 'mongodb'
import {
  type DeadLetter,
  type DeadLetters,
  endOfIdentities,
  identityOf,
  storedIdentities,
} from '../../event-sourcing/ports/dead-letters.ts'
import { orUnavailable } from './connection/availability.ts'
import { MAJORITY_COLLECTION } from './connection/majority.ts'

type LetterDocument = DeadLetter & { readonly _id: string }

/** Creates missing indexes of the dead letters. */
export async function createDeadLetterIndexes(db: Db): Promise<void> {
  await db.collection('dead_letters').createIndex({ at: 1, _id: 1 }, { name: 'oldest_first' })
}

/** Dead letters in a collection of the service's database. */
export function createDeadLetters(db: Db): DeadLetters {
  const collection: Collection<LetterDocument> = db.collection('dead_letters', MAJORITY_COLLECTION)

  async function list(limit: number, skip: number): Promise<DeadLetter[]> {
    const documents = await collection.find({}, { sort: { at: 1, _id: 1 }, limit, skip }).toArray()
    return documents.map(toLetter)
  }

  async function find(identity: string): Promise<DeadLetter | undefined> {
    const document = await collection.findOne({ _id: { $gte: identity, $lt: endOfIdentities(identity) } })
    return document ? toLetter(document) : undefined
  }

  return {
    async add(letter) {
      await orUnavailable(collection.replaceOne({ _id: identityOf(letter) }, letter, { upsert: true }))
    },
    async remove(letter) {
      await orUnavailable(collection.deleteOne({ _id: { $in: [...storedIdentities(letter)] }, at: letter.at }))
    },
    list: (limit, offset = 0) => orUnavailable(list(limit, offset)),
    find: (identity) => orUnavailable(find(identity)),
    count: () => orUnavailable(collection.countDocuments()),
  }
}

const toLetter = ({ _id, ...letter }: LetterDocument): DeadLetter => letter
