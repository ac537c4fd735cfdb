import { orUnavailable } from './availability.ts'
import { connectMongo } from './connection.ts'
import { formatOf } from './format.ts'

/** Whether Mint has made this database: looking must not make it. Throws StoreUnavailable when no primary answers. */
export async function isMongoDatabase(url: string, name: string): Promise<boolean> {
  const connection = await orUnavailable(connectMongo(url, name))
  try {
    return (await orUnavailable(formatOf(connection.db))) !== undefined
  } finally {
    await connection.close()
  }
}
