import type { Db } from 'mongodb'
import { repeat } from '../../async/repeat.ts'
import type { AppendedBatch, Database } from '../../event-sourcing/ports/database.ts'
import { checkImportIsWhole } from '../../event-sourcing/unfinished-import.ts'
import { orUnavailable } from './connection/availability.ts'
import { listOwners } from './connection/connected-processes.ts'
import { connectMongo, type MongoConnection, type MongoUrl } from './connection/connection.ts'
import { MAJORITY_COLLECTION } from './connection/majority.ts'
import { createPrimaryBarrier } from './connection/primary-barrier.ts'
import { createDeadLetterIndexes, createDeadLetters } from './dead-letters.ts'
import { createDocuments } from './documents.ts'
import { bringToCurrentFormat, checkLog } from './format.ts'
import { createLatestTimes } from './latest-times.ts'
import { createLeasedCheckpoints } from './leased-checkpoints.ts'
import { createLogIndexes, logOf } from './log/commit-document.ts'
import { createEventStore } from './log/event-store.ts'
import { createFollowedLog } from './log/followed-log.ts'
import { createInspection } from './log/inspection.ts'
import { createLogEnd } from './log/log-end.ts'
import { createLogImporter } from './log/log-importer.ts'
import { createLogReader } from './log/log-reader.ts'
import { createSequence } from './sequence.ts'
import { openViews, type ViewsOptions } from './views.ts'
import { createBatchWriter } from './writing/batch-writer.ts'
import { createGroupCommit } from './writing/group-commit.ts'

/** Interval of rounds that no read has requested, in milliseconds: reads bring the views up to date themselves. */
const ROUND_INTERVAL = 500

export interface MongoDatabaseOptions extends ViewsOptions {
  /** Connection string of a replica set. */
  readonly url: string | MongoUrl
  /** Builds the views up to the log's head before the database is open, rather than at the first read. */
  readonly buildsViews?: 'at-start'
  /** Also opens a database with an unfinished import, in order to resume it. */
  readonly importing?: boolean
  /** Called for each batch of appends. */
  readonly onBatch?: (batch: AppendedBatch) => void
}

/**
 * Opens one service's database on MongoDB: creates what is missing, and optionally builds the views up to the log's
 * head. Any number of processes may have it open; each has its own views.
 *
 * Throws StoreUnavailable when no primary answers, and a one-line Error when a newer Mint has written the database, it
 * has an unfinished import, or `viewsFolder` can't be written.
 */
export async function openMongoDatabase(options: MongoDatabaseOptions): Promise<Database> {
  const { url, name } = options
  const connection = await orUnavailable(connectMongo(url, name))
  try {
    const latestTimes = (kind: string) => createLatestTimes(connection.db, kind)
    const checkpoints = createLeasedCheckpoints(connection.db)
    if (!options.importing) await checkImportIsWhole({ latestTimes, checkpoints }, `The database ${name}`)
    return await open(connection, options)
  } catch (error) {
    await connection.close()
    return await orUnavailable(Promise.reject(error))
  }
}

async function open(connection: MongoConnection, options: MongoDatabaseOptions): Promise<Database> {
  const { db } = connection
  const { logId } = await bringToCurrentFormat(db)
  await createLogIndexes(db)
  await createDeadLetterIndexes(db)
  connection.replaceOnlyIf((other) => checkLog(other, logId))
  const log = logOf(db)
  const reader = createLogReader(log)
  const barrier = createPrimaryBarrier(connection, () => checkWritable(db))
  await barrier.read(async () => undefined)
  const end = createLogEnd(reader, barrier)
  const write = createBatchWriter({ db, reader, end })
  const groupCommit = createGroupCommit({ write, end, onBatch: options.onBatch })
  const events = createEventStore({ reader, barrier, end, groupCommit })
  const views = openViews(options, createFollowedLog(log, logId, barrier))
  if (options.buildsViews === 'at-start') {
    await views.build().catch(async (error) => {
      await views.close()
      throw error
    })
  }

  const following = repeat(() => views.catchUp(), ROUND_INTERVAL)
  return {
    engine: 'mongodb',
    events,
    view: views.view,
    sequence: (category) => createSequence(db, category),
    checkpoints: createLeasedCheckpoints(db),
    deadLetters: createDeadLetters(db),
    inspection: createInspection(log, { reader, barrier, views }),
    importer: createLogImporter(db, reader),
    latestTimes: (kind) => createLatestTimes(db, kind),
    documents: (kind) => createDocuments(db, kind),
    processes: listOwners(db),
    checkWritable: () => orUnavailable(checkWritable(db)),
    async close() {
      await groupCommit.drain()
      try {
        await Promise.all([views.close(), following.stop()])
      } finally {
        await connection.close()
      }
    },
  }
}

/** By majority, like appends: a primary cut off from the others accepts none. */
async function checkWritable(db: Db): Promise<void> {
  const probes = db.collection<{ _id: string }>('probes', MAJORITY_COLLECTION)
  await probes.updateOne({ _id: 'writable' }, { $currentDate: { at: true } }, { upsert: true })
}
