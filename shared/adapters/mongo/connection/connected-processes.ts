import type { Db } from 'mongodb'
import { type RunningProcess, thisProcess } from '../../../runtime/this-process.ts'
import { type ConnectedProcess, parseAppName } from './app-name.ts'
import { orUnavailable } from './availability.ts'
import { UNAUTHORIZED } from './problem.ts'

/** More than there are connections. */
const BATCH = 100_000

/**
 * The other Mint processes connected to this MongoDB; undefined when the user lacks the right to list them. Throws
 * StoreUnavailable.
 */
export const connectedProcesses = (db: Db): Promise<readonly ConnectedProcess[] | undefined> =>
  orUnavailable(readConnected(db))

async function readConnected(db: Db): Promise<readonly ConnectedProcess[] | undefined> {
  const pipeline = (allUsers: boolean) => [
    { $currentOp: { allUsers, idleConnections: true } },
    { $match: { appName: /^mint / } },
    { $group: { _id: '$appName' } },
    { $sort: { _id: 1 } },
  ]
  const ask = async (allUsers: boolean): Promise<string[]> => {
    const command = { aggregate: 1, pipeline: pipeline(allUsers), cursor: { batchSize: BATCH } }
    const { cursor } = await db.admin().command(command)
    return cursor.firstBatch.map(({ _id }: { _id: string }) => _id)
  }
  // A user without the right to see all connections still sees its own, and all Mint processes may share one user.
  const names = await ask(true)
    .catch((error) => (isRefused(error) ? ask(false) : Promise.reject(error)))
    .catch((error) => (isRefused(error) ? undefined : Promise.reject(error)))
  return names?.flatMap((name) => parseAppName(name) ?? []).filter(({ at }) => at !== thisProcess.at)
}

const isRefused = (error: unknown): boolean => (error as { code?: unknown }).code === UNAUTHORIZED

/**
 * Of these processes, those whose own database it is. A service has its own open and, for the keys, the gateway's; a
 * process with both services' is a command, and left out.
 */
export function ownersOf(database: string, connected: readonly ConnectedProcess[]): readonly ConnectedProcess[] {
  const gateway = database.replace(/[^_]*$/, 'gateway')
  const isAnothers = (one: ConnectedProcess): boolean =>
    connected.some(
      (other) =>
        other.at === one.at && other.database !== database && (database === gateway || other.database !== gateway),
    )
  return connected.filter((one) => one.database === database && (one.at === undefined || !isAnothers(one)))
}

/** The processes whose own database it is, this one first; those of versions that don't say where they run are left out. */
export async function runningProcesses(db: Db): Promise<readonly RunningProcess[]> {
  const connected = await connectedProcesses(db)
  const others = ownersOf(db.databaseName, connected ?? [])
  return [
    thisProcess,
    ...others.flatMap(({ version, at }) => (version !== undefined && at !== undefined ? [{ version, at }] : [])),
  ]
}
