import { type Delimiter, delimiterOf, hasCells, type ReadRow, readRow } from './cells.ts'
import { createFingerprint } from './fingerprint.ts'
import { CsvProblem, type RawRow, rowsOf } from './rows.ts'

/** A CSV file that was read once completely. */
export interface CsvFile {
  /** The names of its columns. */
  readonly columns: readonly string[]
  readonly delimiter: Delimiter
  /** How many rows it has below its header; those in which nothing is written don't count. */
  readonly rows: number
  /** Identifies its bytes. */
  readonly fingerprint: string
  /** Its rows again, in pieces for one request each: always the same ones, and at least one. Throws CsvProblem. */
  pieces(): AsyncGenerator<readonly ReadRow[]>
}

/** Few enough for an import to show its progress, and enough to share the cost of a request. */
const MAX_PIECE_ROWS = 1_000
/** The first row is alone: its check says whether anything of an import is written, whatever is wrong with the rest. */
const FIRST_PIECE_ROWS = 1
/** A piece ends with the row that reaches this. */
const MAX_PIECE_BYTES = 2_000_000

interface ReadOptions {
  /** Gets each row below the header. */
  readonly see?: (row: ReadRow) => void
  /** What is above this line is skipped. */
  readonly from?: number
}

/**
 * Reads a whole file, whose bytes `chunks` yields as often as needed. Its header is the first row in which anything is
 * written. Throws CsvProblem.
 */
export async function readCsvFile(
  chunks: () => AsyncIterable<Uint8Array>,
  { see, from = 1 }: ReadOptions = {},
): Promise<CsvFile> {
  const fingerprint = createFingerprint()
  let header: RawRow | undefined
  let delimiter: Delimiter = ','
  let rows = 0
  for await (const row of rowsOf(fingerprint.through(chunks()))) {
    if (header) {
      const read = readRow(row, delimiter)
      if (!hasCells(read)) continue
      rows += 1
      see?.(read)
    } else if (row.line >= from && canBeHeader(row)) {
      header = row
      delimiter = delimiterOf(row.text)
    }
  }
  if (!header) throw new CsvProblem('file_empty')
  const { cells: columns, line: headerLine } = readRow(header, delimiter)
  if (!columns) throw new CsvProblem('file_header', headerLine)
  async function* below(): AsyncGenerator<ReadRow> {
    for await (const row of rowsOf(chunks())) {
      const read = readRow(row, delimiter)
      if (row.line > headerLine && hasCells(read)) yield read
    }
  }
  return { columns, delimiter, rows, fingerprint: fingerprint.text(), pieces: () => piecesOf(below()) }
}

/** Excel's `sep=;` only declares the separator. */
const canBeHeader = (row: RawRow): boolean =>
  !/^"?sep=/i.test(row.text) && hasCells(readRow(row, delimiterOf(row.text)))

/** The same file with its rows changed as they are read. */
export function withRows<File extends CsvFile>(file: File, change: (row: ReadRow) => ReadRow): File {
  async function* pieces() {
    for await (const piece of file.pieces()) yield piece.map(change)
  }
  return { ...file, pieces }
}

async function* piecesOf(rows: AsyncIterable<ReadRow>): AsyncGenerator<readonly ReadRow[]> {
  let [piece, bytes, maxRows]: [ReadRow[], number, number] = [[], 0, FIRST_PIECE_ROWS]
  let isFirst = true
  for await (const row of rows) {
    piece.push(row)
    bytes += row.bytes
    if (piece.length < maxRows && bytes < MAX_PIECE_BYTES) continue
    yield piece
    isFirst = false
    ;[piece, bytes, maxRows] = [[], 0, MAX_PIECE_ROWS]
  }
  if (piece.length > 0 || isFirst) yield piece
}
