import type { Db } from 'mongodb'
import { BEGINNING, type Position } from '../../event-sourcing/event.ts'
import type { AppendedBatch, Database } from '../../event-sourcing/ports/database.ts'
import type { AnyViewDefinition, View, ViewDefinition } from '../../event-sourcing/ports/view.ts'
import { checkImportIsWhole } from '../../event-sourcing/unfinished-import.ts'
import { orUnavailable } from './availability.ts'
import { connectMongo, type MongoConnection } from './connection.ts'
import { createDeadLetterIndexes, createDeadLetters } from './dead-letters.ts'
import { checkFormat } from './format.ts'
import { createLatestTimes } from './latest-times.ts'
import { createLeasedCheckpoints } from './leased-checkpoints.ts'
import { createLogIndexes, logOf } from './log/commit-document.ts'
import { createEventStore } from './log/event-store.ts'
import { createInspection } from './log/inspection.ts'
import { createLogEnd } from './log/log-end.ts'
import { createLogImporter } from './log/log-importer.ts'
import { createLogReader, type LogReader } from './log/log-reader.ts'
import { createNotices, watchLog } from './log/log-watcher.ts'
import { createStreamHeads, type StreamHeads } from './log/stream-heads.ts'
import { MAJORITY_COLLECTION } from './majority.ts'
import { createPrimaryBarrier } from './primary-barrier.ts'
import { createSearchIndex } from './search/search-index.ts'
import { SEARCH_SETTINGS, type SearchSettings } from './search/settings.ts'
import { createSequence } from './sequence.ts'
import { createCatchUp } from './views/catch-up.ts'
import { createRowWriter } from './views/row-writer.ts'
import { createSnapshots } from './views/snapshots.ts'
import { createStreamProjection } from './views/stream-projection.ts'
import { createView } from './views/view.ts'
import { createViewCheckpoints } from './views/view-checkpoints.ts'
import { rebuildView } from './views/view-rebuild.ts'
import { createRowIndexes } from './views/view-row.ts'
import { createBatchWriter } from './writing/batch-writer.ts'
import { createContention } from './writing/contention.ts'
import { createGroupCommit, type GroupCommit } from './writing/group-commit.ts'

export interface MongoDatabaseOptions {
  /** Connection string of a replica set. */
  readonly url: string
  /** Name of the service's database. */
  readonly name: string
  readonly views: readonly AnyViewDefinition[]
  /** Told while a view is built before the database is ready. */
  readonly onProgress?: (view: string, reached: Position) => void
  /** Opens also what holds only a part of an import: to go on with it. */
  readonly importing?: boolean
  /** When and how views are indexed for search, where it should be otherwise than by SEARCH_SETTINGS. */
  readonly search?: Partial<SearchSettings>
  /** Told of each batch of appends. */
  readonly onBatch?: (batch: AppendedBatch) => void
}

/**
 * Opens one service's database on MongoDB: makes what is missing, builds views that this version has never built, and
 * brings the others up to the log's head. Any number of processes may have it open.
 *
 * Throws StoreUnavailable when no primary answers, and an Error of one line when a newer Mint has written the database
 * or it holds only a part of an import.
 */
export async function openMongoDatabase(options: MongoDatabaseOptions): Promise<Database> {
  const { url, name } = options
  const connection = await orUnavailable(connectMongo(url, name))
  try {
    const leases = createLeasedCheckpoints(connection.db)
    if (!options.importing) await checkImportIsWhole({ checkpoints: leases }, `The database ${name}`)
    return await open(connection, options)
  } catch (error) {
    await connection.close()
    return await orUnavailable(Promise.reject(error))
  }
}

async function open(connection: MongoConnection, options: MongoDatabaseOptions): Promise<Database> {
  const { views: definitions, onBatch, onProgress = () => undefined } = options
  const settings = { ...SEARCH_SETTINGS, ...options.search }
  const { db } = connection
  await prepare(connection, definitions)
  const log = logOf(db)
  const reader = createLogReader(log)
  const projection = createStreamProjection(db, reader, definitions)
  const snapshots = createSnapshots(db, reader, definitions)
  const checkpoints = createViewCheckpoints(db)
  const leases = createLeasedCheckpoints(db)
  const catchUp = createCatchUp({ db, log, reader, projection, checkpoints, views: definitions })
  const withoutSnapshots: AnyViewDefinition[] = []
  for (const definition of definitions) {
    const found = await checkpoints.read(definition)
    const isNew = found === undefined
    // At the beginning the log may have been imported meanwhile.
    if (found?.position === BEGINNING || isNew || (await snapshots.isNew(definition))) withoutSnapshots.push(definition)
    const tell = (reached: Position): void => onProgress(definition.name, reached)
    if (isNew) await rebuildView({ db, log, reader, projection, checkpoints }, definition, tell)
  }
  const barrier = createPrimaryBarrier(connection, { confirm: () => checkWritable(db), passHead: catchUp.passHead })
  await barrier.read(async () => undefined)
  for (const definition of withoutSnapshots) await snapshots.rebuild(definition)
  const search = createSearchIndex({ db, log, leases, checkpoints, settings })
  for (const definition of definitions) await search.catchUp(definition)

  const heads = createStreamHeads()
  const rowWriter = createRowWriter(db, byName(definitions))
  const searching = search.follow(definitions)
  const following = catchUp.follow(searching.wake)
  const wakers = new Set([following.wake])
  const watcher = watchLog(db, () => {
    for (const wake of wakers) wake()
  })
  const onSettled = (batch: AppendedBatch): void => {
    watcher.tell()
    onBatch?.(batch)
  }
  const groupCommit = openGroupCommit({ db, reader, heads, onBatch: onSettled })
  connection.onPrimaryChanged(following.wake)

  const parts = { db, log, reader, projection, checkpoints, barrier, snapshots, search }
  const views = new Map(definitions.map((definition) => [definition.name, createView(parts, definition)]))
  return {
    events: createEventStore({ reader, barrier, heads, groupCommit, rowWriter, snapshots, projection, wakers }),
    view<State>({ name }: ViewDefinition<State>): View<State> {
      const view = views.get(name)
      if (view === undefined) throw new Error(`the database was opened without the view ${name}`)
      return view
    },
    sequence: (category) => createSequence(db, category),
    checkpoints: leases,
    deadLetters: createDeadLetters(db),
    inspection: createInspection(db, log, reader),
    importer: createLogImporter(db, reader),
    latestTimes: (kind) => createLatestTimes(db, kind),
    checkWritable: () => orUnavailable(checkWritable(db)),
    async close() {
      await groupCommit.drain()
      await Promise.all([rowWriter.drain(), snapshots.drain()])
      await Promise.all([watcher.stop(), following.stop(), searching.stop()])
      await connection.close()
    },
  }
}

function openGroupCommit(parts: {
  readonly db: Db
  readonly reader: LogReader
  readonly heads: StreamHeads
  readonly onBatch: MongoDatabaseOptions['onBatch']
}): GroupCommit {
  const { db, reader, heads, onBatch } = parts
  const contention = createContention()
  const end = createLogEnd(reader, heads)
  const writer = createBatchWriter({ db, reader, end, heads, contention })
  return createGroupCommit({ writer, heads, contention, onBatch })
}

/** By majority, as appends are: a primary that has lost the others takes none. */
async function checkWritable(db: Db): Promise<void> {
  const probes = db.collection<{ _id: string }>('probes', MAJORITY_COLLECTION)
  await probes.updateOne({ _id: 'writable' }, { $currentDate: { at: true } }, { upsert: true })
}

async function prepare({ db }: MongoConnection, definitions: readonly AnyViewDefinition[]): Promise<void> {
  await checkFormat(db)
  await createLogIndexes(db)
  await createNotices(db)
  await createDeadLetterIndexes(db)
  for (const definition of definitions) await createRowIndexes(db, definition)
}

function byName(definitions: readonly AnyViewDefinition[]): ReadonlyMap<string, AnyViewDefinition> {
  return new Map(definitions.map((definition) => [definition.name, definition]))
}
