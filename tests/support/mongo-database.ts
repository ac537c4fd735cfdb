import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { atEnd } from './cleanup.ts'
import { secured } from './engines.ts'

/** Handed out in turn: a test drops its database before its turn comes again. Each of mocha's two workers has half. */
const granted = (secured()?.databases ?? []).filter(
  (_, index) => index % 2 === Number(process.env.MOCHA_WORKER_ID ?? 0) % 2,
)

/** The name of a database that no other test uses. */
export function newDatabaseName(): string {
  const next = granted.shift()
  if (next === undefined) return `test_${randomUUID()}`
  granted.push(next)
  return next
}

/** The name of a new database that is dropped after the running test. */
export function temporaryDatabase(url: string): string {
  const name = newDatabaseName()
  atEnd(() => dropDatabase(url, name))
  return name
}

/** The connection string of a user with all rights, where the suites' user has few. */
export const adminUrl = (url: string): string => secured()?.mongoAdminUrl ?? url

/** Everything in a database, as text. */
export async function dumpDatabase(url: string, name: string): Promise<string> {
  const client = new MongoClient(url)
  const collections = await client.db(name).collections()
  const contents = await Promise.all(collections.map((collection) => collection.find().toArray()))
  await client.close()
  return JSON.stringify(contents)
}

/** Succeeds even if there is none with this name. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  const client = new MongoClient(adminUrl(url))
  await client.db(name).dropDatabase()
  await client.close()
}
