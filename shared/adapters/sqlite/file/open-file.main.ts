import type { Position } from '../../../event-sourcing/event.ts'
import type { AppendedBatch } from '../../../event-sourcing/ports/database.ts'
import type { AnyViewDefinition, View, ViewDefinition } from '../../../event-sourcing/ports/view.ts'
import { createReader, type Reader } from '../reading/reader.main.ts'
import type { SequenceNumbers } from '../sequence.main.ts'
import { removeCopies } from '../verify/copies.main.ts'
import { createIndexes, type OpenView, openView } from '../views/open-view.main.ts'
import type { ViewFile } from '../views/projection.main.ts'
import { createView } from '../views/view.main.ts'
import { shapeOf } from '../views/view-shape.ts'
import { startWriter } from '../writing/writer.main.ts'
import { writerThread } from '../writing/writer-host.main.ts'
import { openForReading } from './connection.ts'
import { checkIsNoLink } from './file-identity.ts'
import { prepareStatements } from './statements.ts'

const CACHE_KILOBYTES = 8000

export interface FileOptions {
  /** Created if missing. SQLite stores `<file>-wal` and `<file>-shm` beside it. */
  readonly file: string
  readonly views: readonly AnyViewDefinition[]
  /** Whether to leave the indexes that views lack to a later `createIndexes`; new ones have only that for searches. */
  readonly leavesIndexes?: boolean
  /** Called while a view is built before the file is ready: because its schema changed, or it is new. */
  readonly onProgress?: (view: string, reached: Position) => void
  /** Called for each batch that contains appends. */
  readonly onBatch?: (batch: AppendedBatch) => void
}

/** An open file: its writer, a connection for reads on the calling thread, and its views. */
export interface OpenFile extends ViewFile {
  readonly sequences: SequenceNumbers
  /** For lists and scans. */
  readonly reader: Reader
  /** For reports: the statements of one may take seconds, so lists don't share its thread. */
  readonly reports: Reader
  /** By name. */
  readonly views: ReadonlyMap<string, OpenView>
  /** The view of one of the definitions that the file was opened with. */
  view<State>(definition: ViewDefinition<State>): View<State>
  /** Finishes the work in progress, then closes the file. */
  close(): Promise<void>
}

/**
 * Opens a file for this process alone. `check` is called before any view is built; if it throws, the file is closed.
 * Throws a one-line Error when the file can't be used (foreign, damaged, newer, unwritable, a link).
 */
export async function openFile(options: FileOptions, check?: (file: OpenFile) => Promise<void>): Promise<OpenFile> {
  const { file, onProgress = () => undefined, onBatch, leavesIndexes = false } = options
  for (const suffix of ['', '-wal', '-shm']) checkIsNoLink(`${file}${suffix}`)
  removeCopies(file)
  const sequences: SequenceNumbers = new Map()
  const shapes = options.views.map(shapeOf)
  const writer = await startWriter(writerThread(), { file, shapes }, sequences, onBatch)
  const { statements, reader, reports } = await openReaders(file).catch(async (error) => {
    await writer.close(() => undefined)
    throw error
  })
  const views = new Map<string, OpenView>()
  const opened: OpenFile = {
    writer,
    statements,
    sequences,
    reader,
    reports,
    views,
    view(definition) {
      const found = views.get(definition.name)
      if (!found) throw new Error(`the database was opened without the view ${definition.name}`)
      return createView(definition, found, { statements, reader, reports })
    },
    async close() {
      await Promise.all([reader.close(), reports.close()])
      await writer.close(() => {
        if (statements.connection.isOpen) statements.connection.close()
      })
    },
  }
  try {
    await check?.(opened)
    for (const definition of options.views) {
      views.set(definition.name, await openView(opened, definition, (reached) => onProgress(definition.name, reached)))
    }
    if (!leavesIndexes) for (const { tables } of views.values()) await createIndexes(writer, tables())
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function openReaders(file: string) {
  return {
    statements: prepareStatements(openForReading(file, CACHE_KILOBYTES)),
    reader: createReader('sqlite-reader', { file, connections: 16 }),
    // One at a time: a report of a million rows takes 100 MB.
    reports: createReader('sqlite-reports', { file, connections: 1 }),
  }
}
