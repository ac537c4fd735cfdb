import { MongoClient, ObjectId } from 'mongodb'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { logOf, toDocument } from '../../shared/adapters/mongo/log/commit-document.ts'
import type { Commit } from '../../shared/event-sourcing/ports/event-store.ts'
import { created } from './jobs.ts'

/** When the first job was created; each of the others follows a second after the previous one. */
const FIRST_CREATED = Date.UTC(2000, 0, 1)
const KINDS = ['Tax', 'Accounts', 'Payroll', 'Audit', 'Advice', 'Founding', 'Estate', 'Sale', 'Move', 'Trust']
const CLIENTS = 5_000
const BATCH = 2_000
/** One job in this many is rare. */
const RARE = 100

/** The client of job `number`. */
export const clientOf = (number: number): string => `client ${number % CLIENTS}`

/** The first commit of job `number`: titles are like `Payroll 2`, every hundredth like `Tax 100 rare`. */
function jobOf(number: number): Commit {
  const kind = KINDS[number % KINDS.length] ?? ''
  const title = `${kind} ${number}${number % RARE === 0 ? ' rare' : ''}`
  return created(`${number}`, { at: FIRST_CREATED + number * 1000, client: clientOf(number), kind, title })
}

/** Fills the log of a new MongoDB database with jobs 1 to `count`, at some 15,000 a second. */
export async function fillMongoWithJobs(url: string, name: string, count: number): Promise<void> {
  const database = await openMongoDatabase({ url, name, views: [] })
  await database.close()
  const client = new MongoClient(url)
  const log = logOf(client.db(name))
  for (let first = 1; first <= count; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - first + 1) }, (_, index) => first + index)
    const documents = numbers.map((number) => ({ _id: number, ...toDocument(jobOf(number), new ObjectId()) }))
    await log.insertMany(documents, { ordered: false, writeConcern: { w: 1 } })
  }
  await client.close()
}
