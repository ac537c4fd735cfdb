import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'

export const newDatabaseName = (): string => `test_${randomUUID()}`

export async function dropDatabase(url: string, name: string): Promise<void> {
  const client = new MongoClient(url)
  await client.db(name).dropDatabase()
  await client.close()
}
