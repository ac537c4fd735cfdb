import type { Collection, Db } from 'mongodb'
import type {
  AnyViewDefinition,
  PastMoment,
  Versioned,
  ViewDefinition,
  ViewRow,
} from '../../../event-sourcing/ports/view.ts'
import { SNAPSHOT_INTERVAL, snapshotsOf } from '../../../event-sourcing/snapshots.ts'
import type { LogReader } from '../log/log-reader.ts'
import { rowsOf, type VersionedDocument } from './view-row.ts'

/** The state of one aggregate at one version of its past, as a view's schema folds it. */
interface SnapshotDocument extends Versioned<object> {
  /** `schema/version/id`: whoever writes it writes the same. */
  readonly _id: string
  readonly schema: number
  readonly id: string
}

/** The snapshots of a database's views, a collection for each. */
export interface Snapshots {
  /** Writes these rows as snapshots, in its own time: one that is lost is not missed, as the one before it will do. */
  add(rows: readonly ViewRow[]): void
  find<State>(definition: ViewDefinition<State>, id: string, upTo: PastMoment): Promise<Versioned<State> | undefined>
  /** Whether the view has never had any: a database of an earlier Mint. */
  isNew(definition: AnyViewDefinition): Promise<boolean>
  /** Folds them anew from the log, for every stream that is long enough. */
  rebuild(definition: AnyViewDefinition): Promise<void>
  /** Answers when nothing is under way. */
  drain(): Promise<void>
}

export function createSnapshots(db: Db, reader: LogReader, views: readonly AnyViewDefinition[]): Snapshots {
  const underWay = new Set<Promise<unknown>>()

  async function insert({ view, id, version, at, state }: ViewRow): Promise<void> {
    const definition = views.find(({ name }) => name === view)
    if (definition !== undefined)
      await collectionOf(db, definition).insertOne(toDocument(definition, id, { version, at, state }))
  }

  async function rebuild(definition: AnyViewDefinition): Promise<void> {
    const snapshots = collectionOf(db, definition)
    const { schema } = definition
    await snapshots.deleteMany({ schema: { $lte: schema } })
    await snapshots.createIndex({ id: 1, schema: 1, version: 1 }, { name: 'by_version' })
    await snapshots.createIndex({ id: 1, schema: 1, at: 1, version: 1 }, { name: 'by_time' })
    const long = rowsOf(db, definition).find({ schema, version: { $gte: SNAPSHOT_INTERVAL } })
    for await (const { _id: id } of long.project<VersionedDocument>({ _id: 1 })) {
      for await (const snapshot of snapshotsOf(reader, definition, id)) {
        const { _id, ...rest } = toDocument(definition, id, snapshot)
        await snapshots.updateOne({ _id }, { $setOnInsert: rest }, { upsert: true })
      }
    }
  }

  return {
    add(rows) {
      for (const row of rows) {
        const inserted = insert(row)
          .catch(() => undefined)
          .finally(() => underWay.delete(inserted))
        underWay.add(inserted)
      }
    },
    async find(definition, id, upTo) {
      const { schema } = definition
      const snapshots = collectionOf(db, definition)
      const found =
        'version' in upTo
          ? await snapshots.findOne({ id, schema, version: { $lte: upTo.version } }, { sort: { version: -1 } })
          : await snapshots.findOne({ id, schema, at: { $lte: upTo.at } }, { sort: { at: -1, version: -1 } })
      return found === null ? undefined : { state: found.state as never, version: found.version, at: found.at }
    },
    isNew: async (definition) =>
      (await db.listCollections({ name: collectionOf(db, definition).collectionName }).toArray()).length === 0,
    rebuild,
    async drain() {
      await Promise.all(underWay)
    },
  }
}

function collectionOf(db: Db, { name }: AnyViewDefinition): Collection<SnapshotDocument> {
  return db.collection<SnapshotDocument>(`${name}_snapshots`)
}

function toDocument({ schema }: AnyViewDefinition, id: string, snapshot: Versioned<unknown>): SnapshotDocument {
  const { version, at, state } = snapshot
  return { _id: `${schema}/${version}/${id}`, schema, id, version, at, state: state as object }
}
