import type { Collection, Db } from 'mongodb'
import { MAJORITY_COLLECTION } from './majority.ts'

/** The form in which this version of Mint keeps data; raised with a migration from each older one. */
const FORMAT = 1

interface FormatDocument {
  readonly _id: 'format'
  readonly number: number
}

/** Marks a new database with the format; throws, in one line, when a newer Mint has written it. */
export async function checkFormat(db: Db): Promise<void> {
  const collection: Collection<FormatDocument> = db.collection('format', MAJORITY_COLLECTION)
  const document = await collection.findOneAndUpdate(
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
