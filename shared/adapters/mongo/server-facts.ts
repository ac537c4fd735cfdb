import type { Db } from 'mongodb'
import { orUnavailable } from './connection/availability.ts'
import { connectMongo } from './connection/connection.ts'

/** What a MongoDB server reports about itself. */
export interface ServerFacts {
  readonly version: string
  /** undefined: it is standalone. */
  readonly replicaSet: string | undefined
  /** How far its clock is ahead of this machine's. */
  readonly clockMilliseconds: number
  /** Rights that the user lacks, for example `insert in mint_contracts`. */
  readonly missingRights: readonly string[]
}

/** The actions of `readWrite` that Mint needs on its databases. */
const NEEDED_ACTIONS = ['find', 'insert', 'update', 'remove', 'createCollection', 'createIndex']

/** Queries the primary, without writing. Throws StoreUnavailable when none answers. */
export async function readServerFacts(url: string, databases: readonly string[]): Promise<ServerFacts> {
  const connection = await orUnavailable(connectMongo(url, databases[0] ?? ''))
  try {
    return await orUnavailable(factsOf(connection.db, databases))
  } finally {
    await connection.close()
  }
}

async function factsOf(db: Db, databases: readonly string[]): Promise<ServerFacts> {
  const { version } = await db.command({ buildInfo: 1 })
  const sentAt = Date.now()
  const { setName, localTime } = await db.command({ hello: 1 })
  const clockMilliseconds = +localTime - (sentAt + Date.now()) / 2
  return { version, replicaSet: setName, clockMilliseconds, missingRights: await missingRights(db, databases) }
}

interface Privilege {
  readonly resource: { readonly db?: string; readonly collection?: string; readonly anyResource?: boolean }
  readonly actions: readonly string[]
}

/** None where access control is off: anyone may do anything there. */
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
    NEEDED_ACTIONS.filter((action) => !may(action, database)).map((action) => `${action} in ${database}`),
  )
}
