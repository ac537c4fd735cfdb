import { createHash } from 'node:crypto'
import type { Report } from '../admin/report.ts'
import { CommandFailure } from '../exit.ts'
import type { ApiViolation, SendFile } from './api.ts'
import type { CsvFile } from './csv-file.ts'
import { type CsvPiece, piecesOf } from './pieces.ts'

interface ImportOptions {
  readonly kind: string
  readonly file: CsvFile
  /** The line that names the columns. */
  readonly header: Buffer
  readonly isDryRun: boolean
  /** Names the import; undefined: what is in the file does. */
  readonly key: string | undefined
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
 * file again resumes. Yields every wrong row, or at last how many rows there were. Throws CommandFailure.
 */
export async function* importCsv(
  send: SendFile,
  options: ImportOptions,
  report: Report,
): AsyncGenerator<WrongRow | CsvImported> {
  const { file, header, isDryRun, kind } = options
  const { rows, name } = await survey(options)
  let [isWrong, done] = [false, 0]
  const sums = { rows, created: 0, replayed: 0 }
  const sendPiece = async (piece: CsvPiece, isCheck: boolean) => {
    const request = { path: `/${kind}.csv`, idempotencyKey: `${name}-${piece.number}`, isDryRun: isCheck }
    const answer = await send({ ...request, file: Buffer.concat([header, piece.rows]) })
    done += piece.count
    return answer
  }
  for await (const piece of piecesOf(file)) {
    const answer = await sendPiece(piece, true)
    report('Checking', done, rows)
    if (answer.type === 'imported') {
      sums.created += answer.created
      sums.replayed += answer.replayed
    } else {
      isWrong = true
      yield* wrongRows(answer.errors, answer.errorsOmitted, piece)
      // Every other piece has the same header.
      if (answer.errors.some(({ line = 1 }) => line === 1)) break
    }
  }
  if (isWrong) return
  if (isDryRun) return yield { type: 'imported', ...sums }
  done = sums.created = sums.replayed = 0
  for await (const piece of piecesOf(file)) {
    const answer = await sendPiece(piece, false).catch((error) => {
      throw error instanceof CommandFailure ? new CommandFailure(`${error.message}\n${REPEAT}`) : error
    })
    report('Importing', done, rows)
    if (answer.type === 'invalid') {
      yield* wrongRows(answer.errors, answer.errorsOmitted, piece)
      throw new CommandFailure(REPEAT)
    }
    sums.created += answer.created
    sums.replayed += answer.replayed
  }
  yield { type: 'imported', ...sums }
}

/** Another file has other keys: the rows that are written would be written twice. */
const REPEAT =
  'Rows before that are written. Don’t change the file: remove the cause (reopen the books, restore the name of a client), and run the same command again, which resumes.'

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

/** In the lines of the whole file: of a piece, the second line is its first row. */
function* wrongRows(errors: readonly ApiViolation[], errorsOmitted: number, piece: CsvPiece): Generator<WrongRow> {
  let last = 1
  for (const { line = 1, pointer, message } of errors) {
    last = line === 1 ? 1 : piece.line + line - 2
    yield { type: 'wrong', line: last, field: pointer.slice(1), message }
  }
  if (errorsOmitted > 0) yield { type: 'more', count: errorsOmitted, line: last }
}
