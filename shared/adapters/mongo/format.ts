import { randomUUID } from 'node:crypto'
import type { Collection, Db } from 'mongodb'
import { orUnavailable } from './connection/availability.ts'
import { connectMongo } from './connection/connection.ts'
import { MAJORITY_COLLECTION } from './connection/majority.ts'

/** The form in which this version of Mint keeps data; raised with a migration from each older one. */
const FORMAT = 2

interface FormatDocument {
  readonly _id: 'format'
  readonly number: number
  /** The log's own id: another log of the same name has another one. */
  readonly log?: string
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

/** Rejects when this is not the database with that log: what is cached of it would be wrong. */
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
 * Marks a new database with the format, brings an older one to it, and answers the id of its log. Throws, in one line,
 * when a newer Mint has written it.
 */
export async function bringToCurrentFormat(db: Db): Promise<{ readonly logId: string }> {
  const formats = collectionOf(db)
  const found = await formats.findOne({ _id: 'format' })
  if (found !== null && found.number > FORMAT) {
    throw new Error(
      `The database ${db.databaseName} has format ${found.number}, and this Mint knows formats up to ${FORMAT}: use the newer Mint that wrote it.`,
    )
  }
  if (found?.log !== undefined) return { logId: found.log }
  if (found?.number === 1) await dropFormerCollections(db)
  // Several processes may do so at once: one of their ids stays.
  await formats.updateOne({ _id: 'format' }, { $max: { number: FORMAT } }, { upsert: true })
  await formats.updateOne({ _id: 'format', log: { $exists: false } }, { $set: { log: randomUUID() } })
  return await bringToCurrentFormat(db)
}

/** Format 2: views are files of each process; what format 1 kept of them here goes. The log stays as it is. */
async function dropFormerCollections(db: Db): Promise<void> {
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (FORMER_COLLECTIONS.test(name)) await db.dropCollection(name)
  }
}

const FORMER_COLLECTIONS =
  /^((contracts|clients|businesses|api_keys)(_segments_\d+)?|view_checkpoints|search_manifests|log_notices)$/
