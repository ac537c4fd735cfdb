import type { Api } from '../api/client.ts'
import { ApiProblem, isUncertain, type Violation } from '../api/problem.ts'
import { overrideHeader } from '../closing/override-reason.ts'
import { type ReadRow, writeRow } from './cells.ts'
import type { Mapping } from './columns.ts'
import type { CsvFile } from './csv-file.ts'
import type { ReadCell } from './spelling.ts'

/** A row that is invalid, or that Mint rejects. */
export interface WrongRow {
  /** Where it begins in the file, from 1; of the header: undefined. */
  readonly line: number | undefined
  /** The field that is wrong; '' for the row as a whole. */
  readonly field: string
  /** What the API calls it; '' if the file itself is wrong. */
  readonly code: string
  readonly message: string
  /** The row as it is in the file. */
  readonly text: string
}

/** How far it is. */
export interface ImportState {
  /** Rows that were checked, or written. */
  readonly done: number
  readonly created: number
  /** Rows that an earlier attempt has written. */
  readonly replayed: number
  readonly wrong: readonly WrongRow[]
  /** How many more errors there are. */
  readonly omitted: number
}

export const nothingImported: ImportState = { done: 0, created: 0, replayed: 0, wrong: [], omitted: 0 }

interface ImportOptions {
  /** `contracts` or `businesses`. */
  readonly many: string
  readonly file: CsvFile
  readonly mapping: Mapping
  /** A cell of a column, by its index, as Mint takes it. */
  readonly read: (cell: string, column: number) => ReadCell
  /** Why rows are written into closed time; '' for none. */
  readonly overrideReason: string
  /** Whether nothing is written. */
  readonly isCheck: boolean
  readonly signal: AbortSignal
}

/** As many errors as anybody reads. */
const MOST_WRONG = 200

/**
 * Sends a file in pieces, and yields how far it is after each. The key of a request follows from the file, so the same
 * file resumes, and doubles nothing; with other columns, or read otherwise, Mint refuses it. Writing ends with the first
 * piece that is refused. Throws ApiProblem, Unreachable and CsvProblem.
 */
export async function* importFile(api: Api, options: ImportOptions): AsyncGenerator<ImportState> {
  const { file, mapping, read, isCheck } = options
  const chosen = mapping.flatMap((name, index) => (name === undefined ? [] : [{ name, index }]))
  const header = writeRow(chosen.map(({ name }) => name))
  let state = nothingImported
  let number = 0
  for await (const rows of file.pieces()) {
    number += 1
    const sent = rows.map((row) => {
      const cells = chosen.map(({ name, index }) => ({ field: name, ...read(row.cells?.[index] ?? '', index) }))
      const text = writeRow(cells.map((cell) => cell.text))
      return { row, text, wrong: wrongIn(row, { columns: file.columns.length, text, cells }) }
    })
    const wrong = sent.flatMap((one) => one.wrong)
    const good = sent.filter((one) => one.wrong.length === 0)
    const texts = good.map(({ text }) => text)
    const isSent = good.length > 0 && (isCheck || wrong.length === 0)
    const piece = { ...options, number, text: [header, ...texts].join('\n') }
    const answer = isSent ? await sendPiece(api, piece, good) : nothingImported
    state = added(state, { ...answer, done: rows.length, wrong: byLine([...wrong, ...answer.wrong]) })
    yield state
    const isHeaderWrong = answer.wrong.some(({ line }) => line === undefined)
    if (isHeaderWrong || (!isCheck && state.wrong.length > 0)) return
  }
}

const byLine = (wrong: readonly WrongRow[]): readonly WrongRow[] =>
  wrong.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))

function added(state: ImportState, more: ImportState): ImportState {
  const wrong = [...state.wrong, ...more.wrong]
  return {
    done: state.done + more.done,
    created: state.created + more.created,
    replayed: state.replayed + more.replayed,
    wrong: wrong.slice(0, MOST_WRONG),
    omitted: state.omitted + more.omitted + Math.max(0, wrong.length - MOST_WRONG),
  }
}

/** A row, and the text that it is sent as. */
interface SentRow {
  readonly row: ReadRow
  readonly text: string
}

interface SentCells {
  /** Of the file. */
  readonly columns: number
  /** The row as it is sent: columns that are left out can't be counted in it. */
  readonly text: string
  readonly cells: readonly (ReadCell & { readonly field: string })[]
}

/** What is wrong with a row before Mint sees it. */
function wrongIn({ cells, line, text }: ReadRow, sent: SentCells): readonly WrongRow[] {
  const { columns } = sent
  const wrong = (message: string, field = '') => ({ line, text, field, code: '', message })
  if (cells === undefined)
    return [wrong('A quote is where none may be. Put the text in quotes, and double each quote in it.')]
  if (cells.length !== columns)
    return [
      wrong(
        `Has ${cells.length} cells, but the header has ${columns}. Put a text with a separator in quotes, or complete the row.`,
      ),
    ]
  // Mint skips empty lines.
  if (sent.text === '') return [wrong('Its only cell that is imported is empty. Fill it in, or delete the row.')]
  return sent.cells.flatMap(({ field, problem }) => (problem === undefined ? [] : [wrong(problem, field)]))
}

interface Piece extends ImportOptions {
  readonly number: number
  readonly text: string
}

type PieceAnswer = Omit<ImportState, 'done'>

async function sendPiece(api: Api, piece: Piece, rows: readonly SentRow[]): Promise<PieceAnswer> {
  const { many, file, number, text, overrideReason, isCheck, signal } = piece
  const request = {
    query: { dryRun: isCheck ? 'true' : undefined },
    body: new Blob([text]),
    headers: {
      'Content-Type': 'text/csv',
      'Idempotency-Key': `console-import-${many}-${file.fingerprint}-${number}`,
      ...overrideHeader(overrideReason),
    },
    signal,
  }
  try {
    const { body } = await patiently(() => api.request('POST', `${many}.csv`, request), signal)
    return { created: body.created, replayed: body.replayed, wrong: [], omitted: 0 }
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'validation_failed') throw error
    const wrong = error.errors.map((violation) => wrongRow(violation, rows))
    return { created: 0, replayed: 0, wrong, omitted: error.errorsOmitted }
  }
}

/** An error of a piece at its row in the file. */
function wrongRow({ line = 1, pointer, code, message }: Violation, rows: readonly SentRow[]): WrongRow {
  const { row } = (line === 1 ? undefined : rowAt(line, rows)) ?? {}
  return { line: row?.line, field: pointer.slice(1), code, message, text: row?.text ?? '' }
}

/** The row that a line of what was sent belongs to; the header is the first line. */
function rowAt(line: number, rows: readonly SentRow[]): SentRow | undefined {
  let below = 2
  return rows.find(({ text }) => {
    below += text.split('\n').length
    return line < below
  })
}

const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000]

/** Again after a while, if Mint is busy or away: a piece that is sent twice is written once. */
async function patiently<Result>(send: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (const pause of PAUSES) {
    try {
      return await send()
    } catch (error) {
      if (!isTemporary(error)) throw error
      await passing(pause, signal)
    }
  }
  return await send()
}

function isTemporary(error: unknown): boolean {
  return isUncertain(error) || (error instanceof ApiProblem && [429, 503].includes(error.status))
}

function passing(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
