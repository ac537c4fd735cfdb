import type { Database } from '../../event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import { checkImportIsWhole } from '../../event-sourcing/unfinished-import.ts'
import { thisProcess } from '../../runtime/this-process.ts'
import { createDeadLetters } from './dead-letters.main.ts'
import { createDocuments } from './documents.main.ts'
import { type FileOptions, openFile } from './file/open-file.main.ts'
import { createLatestTimes } from './latest-times.main.ts'
import { createLeasedCheckpoints } from './leased-checkpoints.main.ts'
import { createEventStore } from './log/event-store.main.ts'
import { createInspection } from './log/inspection.main.ts'
import { createLogImporter } from './log/log-importer.main.ts'
import { createSequence } from './sequence.main.ts'
import { NO_OP } from './writing/write-operations.ts'

export interface SqliteOptions extends FileOptions {
  /** Also opens a file with an unfinished import, in order to resume it. */
  readonly importing?: boolean
}

/**
 * Opens one service's database in one SQLite file: a writer thread with group commit, reads on the calling thread, and
 * threads for lists and for reports once one needs them. Only one process may have the file open for writing: see
 * lockFolder. If a second one opens it nevertheless, the first stops writing.
 *
 * Throws a one-line Error when the file can't be used (foreign, damaged, newer, unwritable, import unfinished).
 */
export async function openSqliteDatabase(options: SqliteOptions): Promise<Database> {
  const { file } = options
  const opened = await openFile(options, async ({ writer, statements }) => {
    const latestTimes = (kind: string) => createLatestTimes(writer, statements, kind)
    const checkpoints = createLeasedCheckpoints(writer, statements)
    if (!options.importing) await checkImportIsWhole({ latestTimes, checkpoints }, file)
  })
  const { writer, statements, sequences } = opened
  return {
    engine: 'sqlite',
    events: createEventStore(opened),
    view: opened.view,
    sequence: (category) => createSequence(sequences, category),
    checkpoints: createLeasedCheckpoints(writer, statements),
    deadLetters: createDeadLetters(writer, statements),
    inspection: createInspection(statements),
    importer: createLogImporter(writer, sequences),
    latestTimes: (kind) => createLatestTimes(writer, statements, kind),
    documents: (kind) => createDocuments(writer, statements, kind),
    processes: async () => [thisProcess],
    async checkWritable() {
      await writer.write(NO_OP).catch((cause) => {
        throw new StoreUnavailable(`${file} can't be written`, { cause })
      })
    },
    close: opened.close,
  }
}
