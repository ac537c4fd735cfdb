import type { Collection, Db } from 'mongodb'
import { MAJORITY_COLLECTION } from './majority.ts'

/** The form in which this version of Mint keeps data; raised with a migration from each older one. */
const FORMAT = 1

interface FormatDocument {
  readonly _id: 'format'
  readonly number: number
}

/** The format of a database, undefined when no Mint has made it. */
export async function formatOf(db: Db): Promise<number | undefined> {
  return (await collectionOf(db).findOne({ _id: 'format' }))?.number
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
