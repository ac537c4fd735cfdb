import type { Db } from 'mongodb'
import { orUnavailable } from './connection/availability.ts'
import { connectMongo } from './connection/connection.ts'

/** What a MongoDB says of itself. */
export interface ServerFacts {
  readonly version: string
  /** undefined: it runs alone. */
  readonly replicaSet: string | undefined
  /** How far its clock is ahead of this machine's. */
  readonly clockMilliseconds: number
  /** Rights that the user lacks, for example `insert in mint_contracts`. */
  readonly missingRights: readonly string[]
}

/** The actions of `readWrite` that Mint's own databases need. */
const NEEDED = ['find', 'insert', 'update', 'remove', 'createCollection', 'createIndex']

/** Asks the primary, and changes nothing. Throws StoreUnavailable when none answers. */
export async function askMongo(url: string, databases: readonly string[]): Promise<ServerFacts> {
  const connection = await orUnavailable(connectMongo(url, databases[0] ?? ''))
  try {
    return await orUnavailable(factsOf(connection.db, databases))
  } finally {
    await connection.close()
  }
}

async function factsOf(db: Db, databases: readonly string[]): Promise<ServerFacts> {
  const { version } = await db.command({ buildInfo: 1 })
  const asked = Date.now()
  const { setName, localTime } = await db.command({ hello: 1 })
  const clockMilliseconds = +localTime - (asked + Date.now()) / 2
  return { version, replicaSet: setName, clockMilliseconds, missingRights: await missingRights(db, databases) }
}

interface Privilege {
  readonly resource: { readonly db?: string; readonly collection?: string; readonly anyResource?: boolean }
  readonly actions: readonly string[]
}

/** Without users, everybody may do everything. */
async function missingRights(db: Db, databases: readonly string[]): Promise<readonly string[]> {
  const { authInfo } = await db.command({ connectionStatus: 1, showPrivileges: true })
  if (authInfo.authenticatedUsers.length === 0) return []
  const privileges: readonly Privilege[] = authInfo.authenticatedUserPrivileges
  const may = (action: string, database: string): boolean =>
    privileges.some(
      ({ resource: { db: of, collection, anyResource }, actions }) =>
        (anyResource || ((of === '' || of === database) && collection === '')) && actions.includes(action),
    )
  return databases.flatMap((database) =>
    NEEDED.filter((action) => !may(action, database)).map((action) => `${action} in ${database}`),
  )
}
