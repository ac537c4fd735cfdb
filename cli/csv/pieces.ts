import type { CsvFile } from './csv-file.ts'
import { isEmpty, rowsOf } from './rows.ts'

/** What one request takes of a CSV file. */
export interface CsvPiece {
  /** From 1. */
  readonly number: number
  /** Whole rows, without the header. */
  readonly rows: Buffer
  /** How many of them aren't empty. */
  readonly count: number
  /** The line of the file in which it begins, from 1. */
  readonly line: number
}

/** So few that an import shows how far it is, and so many that they share what each request costs. */
const MAX_ROWS = 1_000
/** The first row is alone: the check of its piece says whether anything of an import is written, whatever is wrong with the rest. */
const ROWS_OF_FIRST = 1
/** A piece ends with the row that reaches this. */
const MAX_BYTES = 2_000_000

/** The rows below the header, cut into pieces: of the same file always the same ones. Throws CommandFailure. */
export async function* piecesOf(file: CsvFile): AsyncGenerator<CsvPiece> {
  let isHeader = true
  let rows: Buffer[] = []
  let [number, bytes, count, line] = [1, 0, 0, 0]
  for await (const row of rowsOf(file)) {
    if (isHeader) {
      isHeader = isEmpty(row)
      continue
    }
    if (rows.length === 0) line = row.line
    rows.push(row.bytes)
    bytes += row.bytes.length
    if (!isEmpty(row)) count += 1
    if (count < (number === 1 ? ROWS_OF_FIRST : MAX_ROWS) && bytes < MAX_BYTES) continue
    yield { number, rows: Buffer.concat(rows), count, line }
    rows = []
    number += 1
    bytes = count = 0
  }
  if (count > 0 || number === 1) yield { number, rows: Buffer.concat(rows), count, line }
}
