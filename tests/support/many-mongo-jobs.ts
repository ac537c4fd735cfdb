import { type Collection, type Db, MongoClient, ObjectId } from 'mongodb'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { type CommitDocument, logOf, toDocument } from '../../shared/adapters/mongo/log/commit-document.ts'
import { toRowDocument } from '../../shared/adapters/mongo/views/view-row.ts'
import type { Commit } from '../../shared/event-sourcing/ports/event-store.ts'
import { created, jobs } from './jobs.ts'

/** When the first of many jobs was created; each of the others a second after the one before. */
const FIRST_CREATED = Date.UTC(2000, 0, 1)
const KINDS = ['Tax', 'Accounts', 'Payroll', 'Audit', 'Advice', 'Founding', 'Estate', 'Sale', 'Move', 'Trust']
const CLIENTS = 5_000
const BATCH = 2_000
/** One job of so many is rare. */
export const RARE = 100

/** Whose the job of a number is. */
export const clientOf = (number: number): string => `client ${number % CLIENTS}`

/** The first commit of the job of a number: titles are like `Payroll 2`, that of each hundredth `Tax 100 rare`. */
export function jobOf(number: number): Commit {
  const kind = KINDS[number % KINDS.length] ?? ''
  const title = `${kind} ${number}${number % RARE === 0 ? ' rare' : ''}`
  return created(`${number}`, { at: FIRST_CREATED + number * 1000, client: clientOf(number), kind, title })
}

/**
 * Fills a new MongoDB database with jobs 1 to `count`, each with its commit and its row, straight into the collections:
 * some 15,000 a second. The search index is made by whoever opens it next.
 */
export async function fillMongoWithJobs(url: string, name: string, count: number): Promise<void> {
  const database = await openMongoDatabase({ url, name, views: [jobs] })
  await database.close()
  const client = new MongoClient(url)
  const db = client.db(name)
  for (let first = 1; first <= count; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - first + 1) }, (_, index) => first + index)
    const commits = numbers.map(jobOf)
    const documents = commits.map((commit, index) => ({
      _id: first + index,
      ...toDocument(commit, new ObjectId()),
    }))
    const rows = commits.map(({ rows: [row] }) => row && toRowDocument(jobs, row)).filter((row) => row !== undefined)
    await Promise.all([write(logOf(db), documents), write(db.collection(jobs.name), rows)])
  }
  await settle(db, count)
  await client.close()
}

async function write(collection: Collection<CommitDocument> | Collection, documents: readonly object[]): Promise<void> {
  await (collection as Collection).insertMany([...documents], { ordered: false, writeConcern: { w: 1 } })
}

async function settle(db: Db, count: number): Promise<void> {
  const checkpoint = { $set: { position: count, count } }
  await db.collection<{ _id: string }>('view_checkpoints').updateOne({ _id: `${jobs.name}@${jobs.schema}` }, checkpoint)
}
