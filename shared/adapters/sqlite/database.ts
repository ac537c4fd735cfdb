import { BEGINNING, type Position } from '../../event-sourcing/event.ts'
import type { AppendedBatch, Database } from '../../event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import type { AnyViewDefinition, View, ViewDefinition } from '../../event-sourcing/ports/view.ts'
import { checkImportIsWhole } from '../../event-sourcing/unfinished-import.ts'
import { openForReading } from './connection.ts'
import { createDeadLetters } from './dead-letters.ts'
import type { Place } from './file-in-place.ts'
import { createLatestTimes } from './latest-times.ts'
import { createLeasedCheckpoints } from './leased-checkpoints.ts'
import { createReader, type Reader } from './lists/reader.ts'
import { createEventStore } from './log/event-store.ts'
import { createInspection } from './log/inspection.ts'
import { createLogImporter } from './log/log-importer.ts'
import { createSequences } from './sequence.ts'
import { prepareStatements, type Statements } from './statements.ts'
import { createRecentRows, type RecentRows } from './views/recent-rows.ts'
import { createView } from './views/view.ts'
import { openGenerations, type ViewGenerations } from './views/view-generations.ts'
import { shapeOf } from './views/view-shape.ts'
import { startWriter } from './writing/writer.ts'
import { startWriterThread, type WriterThread } from './writing/writer-host.ts'

const CACHE_KILOBYTES = 8000

export interface SqliteOptions {
  /** Made when it is not there. Beside it SQLite keeps `<file>-wal` and `<file>-shm`. */
  readonly file: string
  readonly views: readonly AnyViewDefinition[]
  /** Where the lock of the file's folder is: nothing is written any more once it is gone from there. */
  readonly lock?: Place
  /** Opens also what holds only a part of an import: to go on with it. */
  readonly importing?: boolean
  /** Told while a view is built before the database is ready: because its schema changed, or it is new. */
  readonly onProgress?: (view: string, reached: Position, head: Position) => void
  /** Told of each batch that holds appends. */
  readonly onBatch?: (batch: AppendedBatch) => void
  /** The thread to write in, when it is shared with other databases; else the database has its own. */
  readonly thread?: WriterThread
}

/**
 * Opens one service's database in one SQLite file: a writer thread with group commit, reads on the calling thread,
 * and a reader thread once a list needs it. Only one process may have the file open for writing: see lockFolder. Where
 * a second one opens it all the same, the first writes nothing any more.
 *
 * Throws an Error of one line when the file can't be used (foreign, damaged, newer, unwritable, imported in part).
 */
export async function openSqliteDatabase(options: SqliteOptions): Promise<Database> {
  const { file, views, lock, onProgress = () => undefined, onBatch } = options
  const sequences = createSequences()
  const thread = options.thread ?? startWriterThread()
  const endThread = (): void => {
    if (!options.thread) thread.end()
  }
  const writer = await startWriter(thread, { file, shapes: views.map(shapeOf), lock }, sequences, onBatch).catch(
    (error) => {
      endThread()
      throw error
    },
  )
  const { head, views: found, sequences: marks } = writer.opened
  sequences.start(marks)
  const statements = prepareStatements(openForReading(file, CACHE_KILOBYTES))
  const reader = createReader(file)
  const close = async (): Promise<void> => {
    await reader.close()
    await writer.close(() => {
      if (statements.connection.isOpen) statements.connection.close()
    })
    endThread()
  }
  try {
    const checkpoints = createLeasedCheckpoints(writer, statements)
    if (!options.importing) await checkImportIsWhole({ checkpoints }, file)
    const generations = new Map<string, ViewGenerations>()
    const recent = new Map(views.map(({ name }) => [name, createRecentRows()]))
    for (const definition of views) {
      const tell = (reached: Position): void => onProgress(definition.name, reached, (head || BEGINNING) as Position)
      const stored = found.find(({ name }) => name === definition.name)
      generations.set(definition.name, await openGenerations(writer, statements, reader, definition, stored, tell))
    }
    return {
      events: createEventStore({ writer, statements, views, recent }),
      view: (definition) => viewNamed(definition, { generations, recent, statements, reader }),
      sequence: (category) => sequences.sequence(category),
      checkpoints,
      deadLetters: createDeadLetters(writer, statements),
      inspection: createInspection(statements),
      importer: createLogImporter(writer, sequences),
      latestTimes: (kind) => createLatestTimes(writer, statements, kind),
      async checkWritable() {
        await writer.write({ kind: 'probe' }).catch((cause) => {
          throw new StoreUnavailable(`${file} can't be written`, { cause })
        })
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

interface ViewSources {
  readonly generations: ReadonlyMap<string, ViewGenerations>
  readonly recent: ReadonlyMap<string, RecentRows>
  readonly statements: Statements
  readonly reader: Reader
}

function viewNamed<State>(
  definition: ViewDefinition<State>,
  { generations, recent, statements, reader }: ViewSources,
): View<State> {
  const ofView = generations.get(definition.name)
  const rows = recent.get(definition.name)
  if (!ofView || !rows) throw new Error(`the database was opened without the view ${definition.name}`)
  return createView(definition, { statements, reader, generations: ofView, recent: rows })
}
