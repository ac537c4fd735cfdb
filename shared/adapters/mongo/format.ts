import type { Collection, Db } from 'mongodb'
import { orUnavailable } from './availability.ts'
import { connectMongo } from './connection.ts'
import { MAJORITY_COLLECTION } from './majority.ts'

/** The form in which this version of Mint keeps data; raised with a migration from each older one. */
const FORMAT = 1

interface FormatDocument {
  readonly _id: 'format'
  readonly number: number
}

/** Whether Mint has made this database: looking must not make it. Throws StoreUnavailable when no primary answers. */
export async function isMongoDatabase(url: string, name: string): Promise<boolean> {
  const connection = await orUnavailable(connectMongo(url, name))
  try {
    return (await orUnavailable(collectionOf(connection.db).findOne({ _id: 'format' }))) !== null
  } finally {
    await connection.close()
  }
}

function collectionOf(db: Db): Collection<FormatDocument> {
  return db.collection('format', MAJORITY_COLLECTION)
}

/** Marks a new database with the format; throws, in one line, when a newer Mint has written it. */
export async function checkFormat(db: Db): Promise<void> {
  const document = await collectionOf(db).findOneAndUpdate(
    { _id: 'format' },
    { $setOnInsert: { number: FORMAT } },
    { upsert: true, returnDocument: 'after' },
  )
  const found = document?.number ?? FORMAT
  if (found > FORMAT) {
    throw new Error(
      `The database ${db.databaseName} has format ${found}, and this Mint knows formats up to ${FORMAT}: use the newer Mint that wrote it.`,
    )
  }
}
