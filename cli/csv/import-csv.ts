import { createHash } from 'node:crypto'
import { grouped } from '../../shared/fields/rule.ts'
import type { Report } from '../admin/report.ts'
import { CommandFailure } from '../exit.ts'
import type { InvalidFile, SendFile, Written } from './api.ts'
import type { CsvFile } from './csv-file.ts'
import { type CsvPiece, piecesOf } from './pieces.ts'
import { ImportRefusal, type RefusedImport } from './refusal.ts'

interface ImportOptions {
  readonly kind: string
  readonly file: CsvFile
  /** The line that names the columns. */
  readonly header: Buffer
  readonly isDryRun: boolean
  /** Names the import; undefined: what is in the file does. */
  readonly key: string | undefined
  /** Why rows are written into closed time; undefined: they are not. */
  readonly overrideReason: string | undefined
}

/** A wrong row of the file, or rows that are not listed. */
export type WrongRow =
  | { readonly type: 'wrong'; readonly line: number; readonly field: string; readonly message: string }
  | { readonly type: 'more'; readonly count: number; readonly line: number }

export interface CsvImported {
  readonly type: 'imported'
  readonly rows: number
  readonly created: number
  readonly replayed: number
}

/**
 * Checks every row of a file, and if none is wrong writes them, in requests whose keys follow from the file: the same
 * file again resumes. Yields every wrong row, or at last how many rows there were. Throws ImportRefusal and
 * CommandFailure.
 */
export async function* importCsv(
  send: SendFile,
  options: ImportOptions,
  report: Report,
): AsyncGenerator<WrongRow | CsvImported> {
  const job = { send, options, report, ...(await survey(options)) }
  const checked = yield* checkRows(job)
  yield options.isDryRun ? checked : yield* writeRows(job)
}

interface Job {
  readonly send: SendFile
  readonly options: ImportOptions
  readonly report: Report
  readonly rows: number
  /** What the keys of its requests begin with. */
  readonly name: string
}

async function* checkRows(job: Job): AsyncGenerator<WrongRow, CsvImported> {
  let [created, replayed, wrong] = [0, 0, 0]
  for await (const { piece, answer } of answersTo(job, true)) {
    if (answer.type === 'other-file') {
      throw new ImportRefusal(OTHER_FILE, { rows: job.rows, written: replayed, wrong })
    }
    if (answer.type === 'refused') throw new CommandFailure(answer.reason)
    if (answer.type === 'imported') {
      created += answer.created
      replayed += answer.replayed
      continue
    }
    wrong += yield* wrongRows(answer, piece)
    // Every other piece has the same header.
    if (answer.errors.some(({ line = 1 }) => line === 1)) break
  }
  const known = { rows: job.rows, written: replayed, wrong }
  if (wrong === 0) return { type: 'imported', rows: job.rows, created, replayed }
  // How many rows are written of a piece with wrong ones isn't known.
  throw new ImportRefusal(replayed > 0 ? whatToDo(known, false) : 'Correct the file, and import it again.', known)
}

async function* writeRows(job: Job): AsyncGenerator<WrongRow, CsvImported> {
  let [created, replayed] = [0, 0]
  const refusal = (reason: string, more: Written, wrong: number, cause?: unknown) => {
    const known = { rows: job.rows, written: created + replayed + (more ?? 0), wrong }
    return new ImportRefusal(`${reason}${whatToDo(known, more !== undefined)}`, known, cause)
  }
  try {
    for await (const { piece, answer } of answersTo(job, false)) {
      if (answer.type === 'invalid') {
        // The first piece is one row: if that is wrong, nothing is written.
        const more = piece.number === 1 ? 0 : answer.written
        throw refusal('', more, yield* wrongRows(answer, piece))
      }
      if (answer.type === 'other-file') {
        throw new ImportRefusal(OTHER_FILE, { rows: job.rows, written: created + replayed, wrong: 0 })
      }
      if (answer.type === 'refused') throw refusal(`${answer.reason}\n`, answer.written, 0)
      created += answer.created
      replayed += answer.replayed
    }
  } catch (error) {
    if (error instanceof ImportRefusal || !(error instanceof CommandFailure)) throw error
    throw refusal(`${error.message}\n`, undefined, 0, error)
  }
  return { type: 'imported', rows: job.rows, created, replayed }
}

/** How much of a refused import is written, and what to do. `isAll`: no more than `written` rows are. */
function whatToDo({ rows, written }: RefusedImport, isAll: boolean): string {
  if (written === 0) return isAll ? 'Nothing was written.' : `Rows may be written. ${RESUME}`
  const they = written === 1 ? 'is written, and stays' : 'are written, and stay'
  return `${isAll ? '' : 'At least '}${grouped(written)} of the ${grouped(rows)} rows of this import ${they}. ${RESUME}`
}

/** Another file has other keys: the rows that are written would be written twice. */
const RESUME =
  'Don’t change the file: remove the cause (reopen the books, restore the name of a client), and run the same command again, which resumes.'

const OTHER_FILE =
  'Under this --key another file was imported, or this one before it was changed. To resume, give that file as it was. Another --key creates all rows of this file.'

/** Sends the file piece by piece. */
async function* answersTo({ send, options, report, rows, name }: Job, isDryRun: boolean) {
  const { file, header, kind, overrideReason } = options
  let done = 0
  for await (const piece of piecesOf(file)) {
    const idempotencyKey = `${name}-${piece.number}`
    const bytes = Buffer.concat([header, piece.rows])
    const answer = await send({ path: `/${kind}.csv`, idempotencyKey, isDryRun, overrideReason, file: bytes })
    done += piece.count
    report(isDryRun ? 'Checking' : 'Importing', done, rows)
    yield { piece, answer }
  }
}

/** How many rows there are, and the name that the keys of the requests begin with. */
async function survey({ kind, file, header, key }: ImportOptions): Promise<{ rows: number; name: string }> {
  const hash = createHash('sha256').update(kind).update('\n').update(header)
  let rows = 0
  for await (const piece of piecesOf(file)) {
    rows += piece.count
    hash.update(piece.rows)
  }
  return { rows, name: `import-csv-${key ?? hash.digest('hex')}` }
}

/** In the lines of the whole file: of a piece, the second line is its first row. Returns how many errors there are. */
function* wrongRows({ errors, errorsOmitted }: InvalidFile, piece: CsvPiece): Generator<WrongRow, number> {
  let last = 1
  for (const { line = 1, pointer, message } of errors) {
    last = line === 1 ? 1 : piece.line + line - 2
    yield { type: 'wrong', line: last, field: pointer.slice(1), message }
  }
  if (errorsOmitted > 0) yield { type: 'more', count: errorsOmitted, line: last }
  return errors.length + errorsOmitted
}
