import type { Db } from 'mongodb'
import { type RunningProcess, thisProcess } from '../../../runtime/this-process.ts'
import { orUnavailable } from './availability.ts'
import { UNAUTHORIZED } from './problem.ts'

/** The name of this process's connections to a database, by which running processes are found. */
export const appNameOf = (database: string): string => `mint ${database} ${thisProcess.version} ${thisProcess.at}`

/** A process, as parsed from the name of its connections. */
export interface ConnectedProcess {
  readonly database: string
  /** undefined, like `at`, for versions of Mint whose connections don't include it. */
  readonly version: string | undefined
  readonly at: string | undefined
}

/** undefined when the connection is not one of Mint's. */
function parseAppName(appName: string): ConnectedProcess | undefined {
  const [mint, database, version, at] = appName.split(' ')
  return mint === 'mint' && database ? { database, version, at } : undefined
}

/** More than there can be connections, so that the first batch has them all. */
const BATCH_SIZE = 100_000

/**
 * Returns a function that lists the other Mint processes connected to this MongoDB that the user may see; undefined
 * when it may see none. It throws StoreUnavailable.
 */
export function listConnected(db: Db): () => Promise<readonly ConnectedProcess[] | undefined> {
  // A user without the right to see all connections still sees its own, and all Mint processes may share one user.
  // A list that was refused isn't requested again: mongod logs each refusal.
  let allowed = [{ allUsers: true }, { allUsers: false }]

  async function read(): Promise<readonly ConnectedProcess[] | undefined> {
    for (const which of allowed) {
      const names = await readAppNames(db, which).catch((error) =>
        isRefused(error) ? undefined : Promise.reject(error),
      )
      if (names) return names.flatMap((name) => parseAppName(name) ?? []).filter(({ at }) => at !== thisProcess.at)
      allowed = allowed.filter((one) => one !== which)
    }
    return undefined
  }

  return () => orUnavailable(read())
}

async function readAppNames(db: Db, { allUsers }: { readonly allUsers: boolean }): Promise<readonly string[]> {
  const pipeline = [
    { $currentOp: { allUsers, idleConnections: true } },
    { $match: { appName: /^mint / } },
    { $group: { _id: '$appName' } },
    { $sort: { _id: 1 } },
  ]
  const { cursor } = await db.admin().command({ aggregate: 1, pipeline, cursor: { batchSize: BATCH_SIZE } })
  return cursor.firstBatch.map(({ _id }: { _id: string }) => _id)
}

const isRefused = (error: unknown): boolean => (error as { code?: unknown }).code === UNAUTHORIZED

/**
 * Returns the processes that own the database. A service also opens the gateway's database, for the API keys; a process
 * that has both services' databases open is a command, and owns none.
 */
export function ownersOf(database: string, connected: readonly ConnectedProcess[]): readonly ConnectedProcess[] {
  const gateway = database.replace(/[^_]*$/, 'gateway')
  const ownsAnother = (one: ConnectedProcess): boolean =>
    connected.some(
      (other) =>
        other.at === one.at && other.database !== database && (database === gateway || other.database !== gateway),
    )
  return connected.filter((one) => one.database === database && (one.at === undefined || !ownsAnother(one)))
}

/**
 * Returns a function that lists the processes that own the database, this one first, except those of versions that
 * don't say where they run. It throws StoreUnavailable.
 */
export function listOwners(db: Db): () => Promise<readonly RunningProcess[]> {
  const connected = listConnected(db)
  return async () => {
    const others = ownersOf(db.databaseName, (await connected()) ?? [])
    const known = others.flatMap(({ version, at }) =>
      version !== undefined && at !== undefined ? [{ version, at }] : [],
    )
    return [thisProcess, ...known]
  }
}
