import { isImportUnfinished } from '../../event-sourcing/unfinished-import.ts'
import { orUnavailable } from './connection/availability.ts'
import { listConnected } from './connection/connected-processes.ts'
import { connectMongo } from './connection/connection.ts'
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
    isImportUnfinished: () => isImportUnfinished({ checkpoints, latestTimes: (kind) => createLatestTimes(db, kind) }),
    countDeadLetters: createDeadLetters(db).count,
    /** The other Mint processes connected to this MongoDB; undefined when the user lacks the right to list them. */
    processes: listConnected(db),
    close: () => connection.close(),
  }
}
