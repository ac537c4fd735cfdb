import { BEGINNING, type Position } from '../../event-sourcing/event.ts'
import type { AppendedBatch } from '../../event-sourcing/ports/database.ts'
import type { AnyViewDefinition, View, ViewDefinition } from '../../event-sourcing/ports/view.ts'
import { openForReading } from './connection.ts'
import type { Place } from './file-in-place.ts'
import { createReader } from './lists/reader.ts'
import { createSequences } from './sequence.ts'
import { prepareStatements, type Statements } from './statements.ts'
import { createRecentRows, type RecentRows } from './views/recent-rows.ts'
import { createView } from './views/view.ts'
import { openGenerations, type ViewGenerations } from './views/view-generations.ts'
import { shapeOf } from './views/view-shape.ts'
import { startWriter, type Writer } from './writing/writer.ts'
import { startWriterThread, type WriterThread } from './writing/writer-host.ts'

const CACHE_KILOBYTES = 8000

export interface FileOptions {
  /** Made when it is not there. Beside it SQLite keeps `<file>-wal` and `<file>-shm`. */
  readonly file: string
  readonly views: readonly AnyViewDefinition[]
  /** Where the lock of the file's folder is: nothing is written any more once it is gone from there. */
  readonly lock?: Place
  /** Told while a view is built before the file is ready: because its schema changed, or it is new. */
  readonly onProgress?: (view: string, reached: Position, head: Position) => void
  /** Told of each batch that holds appends. */
  readonly onBatch?: (batch: AppendedBatch) => void
  /** The thread to write in, when it is shared with other files; else the file has its own. */
  readonly thread?: WriterThread
}

/** A file of Mint's that is open: its writer thread, a connection to read on the calling thread, and its views. */
export interface OpenFile {
  readonly writer: Writer
  readonly statements: Statements
  readonly sequences: ReturnType<typeof createSequences>
  /** By the name of their view. */
  readonly recent: ReadonlyMap<string, RecentRows>
  /** The tables of each view that are read now, by its name. */
  readonly generations: ReadonlyMap<string, ViewGenerations>
  /** The view of a definition that the file was opened with. */
  view<State>(definition: ViewDefinition<State>): View<State>
  /** Finishes what is under way, then lets go of the file. */
  close(): Promise<void>
}

/**
 * Opens a file for this process alone. `check` is called before any view is built, and what it throws closes the file.
 * Throws an Error of one line when the file can't be used (foreign, damaged, newer, unwritable).
 */
export async function openFile(options: FileOptions, check?: (file: OpenFile) => Promise<void>): Promise<OpenFile> {
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
  const recent = new Map(views.map(({ name }) => [name, createRecentRows()]))
  const generations = new Map<string, ViewGenerations>()
  const opened: OpenFile = {
    writer,
    statements,
    sequences,
    recent,
    generations,
    view(definition) {
      const ofView = generations.get(definition.name)
      const rows = recent.get(definition.name)
      if (!ofView || !rows) throw new Error(`the database was opened without the view ${definition.name}`)
      return createView(definition, { statements, reader, generations: ofView, recent: rows })
    },
    async close() {
      await reader.answered()
      await reader.close()
      await writer.close(() => {
        if (statements.connection.isOpen) statements.connection.close()
      })
      endThread()
    },
  }
  try {
    await check?.(opened)
    for (const definition of views) {
      const report = (reached: Position): void => onProgress(definition.name, reached, (head || BEGINNING) as Position)
      const stored = found.find(({ name }) => name === definition.name)
      generations.set(definition.name, await openGenerations(writer, statements, reader, definition, stored, report))
    }
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}
