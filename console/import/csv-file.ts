import { type Delimiter, delimiterOf, type ReadRow, readRows } from './cells.ts'
import { createTallies, type Tally } from './evidence.ts'
import { createFingerprint } from './fingerprint.ts'
import { CsvProblem, type RawRow, rowsOf } from './rows.ts'
import type { Notation } from './spelling.ts'

/** A CSV file that was read through once. */
export interface CsvFile {
  readonly name: string
  /** The names of its columns. */
  readonly columns: readonly string[]
  /** Its first rows. */
  readonly samples: readonly (readonly string[])[]
  readonly delimiter: Delimiter
  /** What the cells of a column say about its spelling in a notation. */
  readonly tallyOf: (column: number, notation: Notation) => Tally
  /** How many rows it has below its header. */
  readonly rows: number
  /** Names its contents. */
  readonly fingerprint: string
  /** Its rows again, in the pieces that requests take: always the same ones. Throws CsvProblem. */
  pieces(): AsyncGenerator<readonly ReadRow[]>
}

/** So few that an import shows how far it is, and so many that they share what each request costs. */
const ROWS_A_PIECE = 1_000
/** The first row is alone: its check says whether anything of an import is written, whatever is wrong with the rest. */
const ROWS_OF_FIRST_PIECE = 1
/** A piece ends with the row that reaches this. */
const CHARACTERS_A_PIECE = 2_000_000
const SAMPLES = 3

/** Reads a file through. Each column may turn out to be in one of the notations. Throws CsvProblem. */
export async function openCsvFile(file: File, notations: readonly Notation[]): Promise<CsvFile> {
  const fingerprint = createFingerprint('')
  let header: RawRow | undefined
  let delimiter: Delimiter = ','
  const samples: (readonly string[])[] = []
  const tallies = createTallies(notations)
  let rows = 0
  for await (const row of rowsOf(textOf(file, fingerprint.add))) {
    if (!header) {
      if (row.text.trim() === '') continue
      if (row.text.replaceAll(/"[^"]*"/g, '').includes('\r')) throw new CsvProblem(LONE_RETURN)
      header = row
      delimiter = delimiterOf(row.text)
      continue
    }
    for (const { cells } of readRows([row], delimiter)) {
      rows += 1
      cells?.forEach(tallies.see)
      if (samples.length < SAMPLES) samples.push(cells ?? [])
    }
  }
  if (!header) throw new CsvProblem('The file is empty. Choose one whose first line names its columns.')
  const columns = headerOf(readRows([header], delimiter)[0])
  const headerLine = header.line
  async function* below(): AsyncGenerator<ReadRow> {
    for await (const row of rowsOf(textOf(file, () => {}))) {
      if (row.line > headerLine) yield* readRows([row], delimiter)
    }
  }
  return {
    name: file.name,
    columns,
    samples,
    delimiter,
    tallyOf: tallies.of,
    rows,
    fingerprint: fingerprint.text(),
    pieces: () => piecesOf(below()),
  }
}

function headerOf(row: ReadRow | undefined): readonly string[] {
  if (row?.cells) return row.cells
  throw new CsvProblem('The names of the columns can’t be read: a quote in the first line is in a wrong place.')
}

async function* piecesOf(rows: AsyncIterable<ReadRow>): AsyncGenerator<readonly ReadRow[]> {
  let piece: ReadRow[] = []
  let characters = 0
  let most = ROWS_OF_FIRST_PIECE
  for await (const row of rows) {
    piece.push(row)
    characters += row.text.length
    if (piece.length < most && characters < CHARACTERS_A_PIECE) continue
    yield piece
    ;[piece, characters, most] = [[], 0, ROWS_A_PIECE]
  }
  if (piece.length > 0) yield piece
}

/** The text of a file, without a byte order mark. Throws CsvProblem. */
async function* textOf(file: File, see: (bytes: Uint8Array) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = file.stream().getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (value) see(value)
      yield decoder.decode(value, { stream: !done })
      if (done) return
    }
  } catch (error) {
    throw new CsvProblem(error instanceof TypeError ? NOT_UTF8 : UNREADABLE, { cause: error })
  } finally {
    void reader.cancel().catch(() => {})
  }
}

const NOT_UTF8 = 'The file is not in UTF-8. Save it as “CSV UTF-8”, then choose it again.'
const LONE_RETURN = 'The lines of the file end in CR alone. Save it as “CSV UTF-8”, then choose it again.'
const UNREADABLE = 'The file can’t be read: it was changed, moved or deleted. Choose it again.'
