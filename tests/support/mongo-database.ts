import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'

/** One that no other test has. */
export const newDatabaseName = (): string => `test_${randomUUID()}`

/** Everything in a database, as text. */
export async function dumpDatabase(url: string, name: string): Promise<string> {
  const client = new MongoClient(url)
  const collections = await client.db(name).collections()
  const contents = await Promise.all(collections.map((collection) => collection.find().toArray()))
  await client.close()
  return JSON.stringify(contents)
}

/** Also when there is none of this name. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  const client = new MongoClient(url)
  await client.db(name).dropDatabase()
  await client.close()
}
