import { delimiterOf, joinCells, type ReadRow, readRow } from '../csv/cells.ts'
import * as csv from '../csv/csv-file.ts'
import { CsvProblem, rowsOf } from '../csv/rows.ts'
import { textOfCell } from '../sheets/cells.ts'
import { createTallies, type Tally } from './evidence.ts'
import type { Notation } from './spelling.ts'

/** A CSV file that somebody has chosen, and what its cells look like. */
export interface CsvFile extends csv.CsvFile {
  readonly name: string
  /** Where the names of its columns were found, from 1; what is above is left out. */
  readonly headerLine: number
  /** A cell that shows how it was decoded, if it isn't UTF-8. */
  readonly decoded: string | undefined
  /** Its first rows. */
  readonly samples: readonly (readonly string[])[]
  /** What the cells of a column say about its spelling in a notation. */
  readonly tallyOf: (column: number, notation: Notation) => Tally
}

const SAMPLES = 3
const CHUNK_BYTES = 1_000_000

/** Whether cells are the names of columns. */
type AreNames = (cells: readonly string[]) => boolean

/**
 * Reads a whole file, in UTF-8 or UTF-16, or else in Windows-1252, as Excel saves CSV files in Western languages. Each
 * column may turn out to be in one of the notations. By default, the first row names them. Throws CsvProblem.
 */
export async function openCsvFile(
  file: File,
  notations: readonly Notation[],
  areNames: AreNames = () => false,
): Promise<CsvFile> {
  const open = (encoding: Encoding) => openIn(encoding, file, notations, areNames)
  return await open('utf-8').catch(async (problem) => {
    if (!(problem instanceof CsvProblem) || problem.code !== 'not_utf8') throw problem
    const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
    return await open(first === 0xff && second === 0xfe ? 'utf-16le' : 'windows-1252')
  })
}

type Encoding = 'utf-8' | 'utf-16le' | 'windows-1252'

async function openIn(encoding: Encoding, file: File, notations: readonly Notation[], areNames: AreNames) {
  const chunks = () => (encoding === 'utf-8' ? chunksOf(file) : toUtf8(chunksOf(file), encoding))
  const samples: (readonly string[])[] = []
  const tallies = createTallies(notations)
  let special: string | undefined
  const see = ({ cells = [] }: ReadRow) => {
    cells.forEach(tallies.see)
    if (samples.length < SAMPLES) samples.push(cells)
    special ??= cells.find(isSpecial)
  }
  const headerLine = await lineOfNames(chunks(), areNames)
  const read = await csv.readCsvFile(chunks, { see, from: headerLine })
  const decoded = encoding === 'windows-1252' ? (special ?? read.columns.find(isSpecial) ?? '') : undefined
  return { ...read, name: file.name, headerLine, decoded, samples, tallyOf: tallies.of }
}

/** Reports have a title, a period and the like above the names of their columns. */
const MAX_TITLE_LINES = 20

/** Where the first names of columns are; 1 if there are none. */
async function lineOfNames(chunks: AsyncIterable<Uint8Array>, areNames: AreNames): Promise<number> {
  for await (const row of rowsOf(chunks)) {
    if (row.line > MAX_TITLE_LINES) break
    if (areNames(readRow(row, delimiterOf(row.text)).cells ?? [])) return row.line
  }
  return 1
}

const isSpecial = (cell: string): boolean => /[^ -~\s]/.test(cell)

/** The same text in UTF-8. Throws CsvProblem if it has control characters, as other encodings then do. */
async function* toUtf8(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding)
  for await (const bytes of chunks) {
    const text = decoder.decode(bytes, { stream: true })
    if (/[^\P{Cc}\t\r\n]/u.test(text)) throw new CsvProblem('not_utf8')
    yield new TextEncoder().encode(text)
  }
}

/** Throws CsvProblem. */
async function* chunksOf(file: File): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    const bytes = await file
      .slice(at, at + CHUNK_BYTES)
      .arrayBuffer()
      .catch((cause) => {
        throw new CsvProblem('file_unreadable', undefined, cause)
      })
    yield new Uint8Array(bytes)
  }
}

/** A sheet of an Excel file that has something in it. */
export interface FileSheet {
  readonly name: string
  readonly rows: readonly (readonly string[])[]
}

/** All cells are held in memory, which takes up to a gigabyte for a file of this size. */
const MAX_SHEET_BYTES = 10_000_000

/** Whether a file is to be read as a spreadsheet. */
export const isSheetFile = ({ name }: File): boolean => /\.(xlsx?|xlsm|ods|numbers)$/i.test(name)

/** The sheets of a file. The package for it is loaded when this is first called. Throws CsvProblem. */
export async function readSheets(file: File): Promise<readonly FileSheet[]> {
  if (file.size > MAX_SHEET_BYTES) throw new CsvProblem('sheet_too_large')
  const { default: readFile } = await import('read-excel-file/universal')
  const sheets = await readFile(file).catch((cause) => {
    throw new CsvProblem('sheet_unreadable', undefined, cause)
  })
  return sheets
    .map(({ sheet, data }) => ({ name: sheet, rows: data.map((row) => row.map(textOfCell)) }))
    .filter(({ rows }) => rows.some(isFilled))
}

const isFilled = (row: readonly string[]): boolean => row.some((cell) => cell.trim() !== '')

/** Opens a sheet as the CSV file that it would be: the same sheet is always the same file. Throws CsvProblem. */
export async function openSheet(
  fileName: string,
  { rows }: FileSheet,
  notations: readonly Notation[],
  areNames?: AreNames,
): Promise<CsvFile> {
  const rowAt = new Map<number, number>()
  let line = 1
  const lines = rows.map((row, index) => {
    rowAt.set(line, index + 1)
    const text = isFilled(row) ? joinCells(row, ',') : ''
    line += text.split('\n').length
    return text
  })
  const opened = await openCsvFile(new File([lines.join('\n')], fileName), notations, areNames)
  // Problems name the row of the sheet, whatever line breaks its cells have.
  const rowOf = (line: number) => rowAt.get(line) ?? line
  const inSheet = { ...opened, headerLine: rowOf(opened.headerLine) }
  return csv.withRows(inSheet, (row) => ({ ...row, line: rowOf(row.line) }))
}
