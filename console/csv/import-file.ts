import { ApiProblem } from '../api/problem.ts'
import { withOwnApostrophe, writeRow } from './cells.ts'
import type { CsvFile } from './csv-file.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { type Mapping, type ReadCell, type SentRow, toSend, type WrongRow, wrongRow } from './sent-rows.ts'

/** The outcome of importing rows. */
interface Outcome {
  /** Rows that were checked, or written. */
  readonly done: number
  readonly created: number
  /** Rows that earlier attempts had written. */
  readonly replayed: number
  /** Rows that are written, now or by earlier attempts. */
  readonly written: number
  /** Whether more of them may be written than `written`. */
  readonly mayBeMore: boolean
  /** How many errors there are. */
  readonly errors: number
}

/** The progress of an import. */
export interface ImportProgress extends Outcome {
  /** What was found wrong since the last progress, as much of it as Mint lists; `errors` counts all. */
  readonly wrong: readonly WrongRow[]
}

export const nothingImported: ImportProgress = {
  done: 0,
  created: 0,
  replayed: 0,
  written: 0,
  mayBeMore: false,
  errors: 0,
  wrong: [],
}

/** One request of an import. */
export interface PieceRequest {
  /** Relative to Mint. */
  readonly path: string
  readonly query: { readonly dryRun: 'true' | undefined }
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What Mint answers to rows that it accepts. */
export interface Imported {
  readonly created: number
  readonly replayed: number
}

/** Sends a request once. Throws ApiProblem and Unreachable. */
export type SendPiece = (request: PieceRequest) => Promise<Imported>

/** What is imported, and how. */
export interface ImportOptions {
  /** `contracts` or `businesses`. */
  readonly many: string
  readonly file: CsvFile
  readonly mapping: Mapping
  /** A cell of a column, by its index, in Mint's notation; by default, unchanged. */
  readonly read?: (cell: string, column: number) => ReadCell
  /** Distinguishes imports of the same file. */
  readonly name?: string | undefined
  /** Whether nothing is written. */
  readonly isCheck: boolean
  readonly signal?: AbortSignal
}

/**
 * Sends a file in pieces, and yields the progress after each. Writing ends with the first piece that is refused. Throws
 * what `send` does, and CsvProblem.
 */
export async function* importFile(send: SendPiece, options: ImportOptions): AsyncGenerator<ImportProgress> {
  const { file, mapping, read = asItIs, isCheck } = options
  const chosen = mapping.flatMap((name, index) => (name === undefined ? [] : [{ name, index }]))
  const header = writeRow(chosen.map(({ name }) => name))
  let total: Outcome = nothingImported
  let number = 0
  for await (const rows of file.pieces()) {
    number += 1
    const sent = rows.map((row) => toSend(row, { chosen, columns: file.columns.length, read }))
    const wrong = sent.flatMap((one) => one.wrong)
    const good = sent.filter((one) => one.wrong.length === 0)
    const found = { ...nothingImported, errors: wrong.length, wrong }
    const isSent = (good.length > 0 && (isCheck || wrong.length === 0)) || rows.length === 0
    const text = [header, ...good.map((one) => one.text)].join('\n')
    const answer = isSent ? await sendPiece(send, requestOf(options, number, text), good, options) : nothingImported
    total = sum(sum(total, found), { ...answer, done: 'failure' in answer ? 0 : rows.length })
    yield { ...total, wrong: byLine([...wrong, ...answer.wrong]) }
    if ('failure' in answer) throw answer.failure
    // Every other piece has the same header.
    const isHeaderWrong = answer.wrong.some(({ line }) => line === undefined)
    if (isHeaderWrong || (!isCheck && total.errors > 0)) return
  }
}

const asItIs = (cell: string): ReadCell => ({ text: withOwnApostrophe(cell) })

const byLine = (wrong: readonly WrongRow[]): readonly WrongRow[] =>
  wrong.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))

function sum(one: Outcome, other: Outcome): Outcome {
  return {
    done: one.done + other.done,
    created: one.created + other.created,
    replayed: one.replayed + other.replayed,
    written: one.written + other.written,
    mayBeMore: one.mayBeMore || other.mayBeMore,
    errors: one.errors + other.errors,
  }
}

/**
 * The key is derived from the bytes of the file and what it is for, so the same file, sent again from anywhere, resumes
 * and duplicates nothing. Under that key, Mint compares the rows that are sent: with other columns chosen, or read
 * differently, it refuses the file. If the key depended on these, Mint would write the file a second time.
 */
function requestOf({ many, file, name, isCheck }: ImportOptions, number: number, text: string): PieceRequest {
  return {
    path: `${many}.csv`,
    query: { dryRun: isCheck ? 'true' : undefined },
    headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': `import-${many}-${name ?? file.fingerprint}-${number}` },
    text,
  }
}

type PieceAnswer = ImportProgress & { readonly failure?: unknown }

async function sendPiece(
  send: SendPiece,
  request: PieceRequest,
  rows: readonly SentRow[],
  { isCheck, signal }: ImportOptions,
): Promise<PieceAnswer> {
  try {
    const { created, replayed } = await retryWhileBusy(() => send(request), signal)
    return { ...nothingImported, created, replayed, written: isCheck ? replayed : created + replayed }
  } catch (failure) {
    const written = failure instanceof ApiProblem ? failure.written : undefined
    const refused = { ...nothingImported, written: written ?? 0, mayBeMore: written === undefined }
    if (!(failure instanceof ApiProblem) || failure.code !== 'validation_failed') return { ...refused, failure }
    const wrong = failure.errors.map((violation) => wrongRow(violation, rows))
    return { ...refused, wrong, errors: wrong.length + failure.errorsOmitted }
  }
}
