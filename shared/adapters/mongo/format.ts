import { randomUUID } from 'node:crypto'
import type { Collection, Db } from 'mongodb'
import { orUnavailable } from './connection/availability.ts'
import { connectMongo } from './connection/connection.ts'
import { MAJORITY_COLLECTION } from './connection/majority.ts'

/** The data format of this version of Mint; each increment comes with a migration. */
const FORMAT = 2

interface FormatDocument {
  readonly _id: 'format'
  readonly number: number
  /** The log's own id: another log of the same name has a different one. */
  readonly log?: string
}

/** Whether Mint has created this database; does not create it. Throws StoreUnavailable when no primary answers. */
export async function isMongoDatabase(url: string, name: string): Promise<boolean> {
  const connection = await orUnavailable(connectMongo(url, name))
  try {
    return (await orUnavailable(collectionOf(connection.db).findOne({ _id: 'format' }))) !== null
  } finally {
    await connection.close()
  }
}

/** Rejects when the database does not have this log: everything cached would be wrong. */
export async function checkLog(db: Db, logId: string): Promise<void> {
  const found = await orUnavailable(collectionOf(db).findOne({ _id: 'format' }))
  if (found?.log === logId) return
  const difference = found === null ? 'has no database' : 'has another database'
  throw new Error(
    `MONGO_URL_FILE names a server that ${difference} ${db.databaseName}: name the one in use, or restart Mint to use it`,
  )
}

function collectionOf(db: Db): Collection<FormatDocument> {
  return db.collection('format', MAJORITY_COLLECTION)
}

/**
 * Marks a new database with the format, migrates an older one, and returns the id of its log. Throws a one-line Error
 * when a newer Mint has written it.
 */
export async function bringToCurrentFormat(db: Db): Promise<{ readonly logId: string }> {
  const formats = collectionOf(db)
  const found = await formats.findOne({ _id: 'format' })
  if (found !== null && found.number > FORMAT) {
    throw new Error(
      `The database ${db.databaseName} has format ${found.number}, but this Mint supports formats up to ${FORMAT}: use the newer Mint that wrote it.`,
    )
  }
  if (found?.log !== undefined) return { logId: found.log }
  if (found?.number === 1) await dropFormerCollections(db)
  // Several processes may do this at once: only one of their ids is stored.
  await formats.updateOne({ _id: 'format' }, { $max: { number: FORMAT } }, { upsert: true })
  await formats.updateOne({ _id: 'format', log: { $exists: false } }, { $set: { log: randomUUID() } })
  return await bringToCurrentFormat(db)
}

/** Format 2: views are files of each process; format 1's view collections are dropped. The log is unchanged. */
async function dropFormerCollections(db: Db): Promise<void> {
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (FORMER_COLLECTIONS.test(name)) await db.dropCollection(name)
  }
}

const FORMER_COLLECTIONS =
  /^((contracts|clients|businesses|api_keys)(_segments_\d+)?|view_checkpoints|search_manifests|log_notices)$/
