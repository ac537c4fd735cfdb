import type { Db } from 'mongodb'
import { isImportUnfinished } from '../../event-sourcing/unfinished-import.ts'
import { type ConnectedProcess, here, parseAppName } from './connection/app-name.ts'
import { orUnavailable } from './connection/availability.ts'
import { connectMongo } from './connection/connection.ts'
import { UNAUTHORIZED } from './connection/problem.ts'
import { createDeadLetters } from './dead-letters.ts'
import { createLatestTimes } from './latest-times.ts'
import { createLeasedCheckpoints, isLeaseHeld } from './leased-checkpoints.ts'
import { logOf } from './log/commit-document.ts'
import { createLogReader } from './log/log-reader.ts'

/** Connects to an existing database. Throws StoreUnavailable when no primary answers. */
export async function openMongoStatus(url: string, name: string) {
  const connection = await orUnavailable(connectMongo(url, name))
  const { db } = connection
  const checkpoints = createLeasedCheckpoints(db)
  return {
    head: () => orUnavailable(createLogReader(logOf(db)).head()),
    /** A leased checkpoint, and whether any process has its lease. */
    lease: async (lease: string) => ({
      position: await checkpoints.read(lease),
      isHeld: await orUnavailable(isLeaseHeld(db, lease)),
    }),
    isImportUnfinished: () => isImportUnfinished({ latestTimes: (kind) => createLatestTimes(db, kind) }),
    countDeadLetters: createDeadLetters(db).count,
    /** The other Mint processes connected to this MongoDB; undefined when the user lacks the right to list them. */
    processes: () => orUnavailable(connectedProcesses(db)),
    close: () => connection.close(),
  }
}

/** More than there are connections. */
const BATCH = 100_000

async function connectedProcesses(db: Db): Promise<readonly ConnectedProcess[] | undefined> {
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
  return names?.flatMap((name) => parseAppName(name) ?? []).filter(({ at }) => at !== here)
}

const isRefused = (error: unknown): boolean => (error as { code?: unknown }).code === UNAUTHORIZED
