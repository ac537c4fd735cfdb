import { joinCells } from '../csv/cells.ts'
import { withRows } from '../csv/csv-file.ts'
import { CsvProblem } from '../csv/rows.ts'
import { textOfCell } from '../sheets/cells.ts'
import { type CsvFile, openCsvFile } from './csv-file.ts'
import type { Notation } from './spelling.ts'

/** A sheet of an Excel file that has something in it. */
export interface FileSheet {
  readonly name: string
  readonly rows: readonly (readonly string[])[]
}

/** All cells are held in memory, which takes up to a gigabyte for a file of this size. */
const MAX_BYTES = 10_000_000

/** Whether a file is to be read as a spreadsheet. */
export const isSheetFile = ({ name }: File): boolean => /\.(xlsx?|xlsm|ods|numbers)$/i.test(name)

/** The sheets of a file. The package for it is loaded when this is first called. Throws CsvProblem. */
export async function readSheets(file: File): Promise<readonly FileSheet[]> {
  if (file.size > MAX_BYTES) throw new CsvProblem('sheet_too_large')
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
): Promise<CsvFile> {
  const rowAt = new Map<number, number>()
  let line = 1
  const lines = rows.map((row, index) => {
    rowAt.set(line, index + 1)
    const text = isFilled(row) ? joinCells(row, ',') : ''
    line += text.split('\n').length
    return text
  })
  const opened = await openCsvFile(new File([lines.join('\n')], fileName), notations)
  // Problems name the row of the sheet, whatever line breaks its cells have.
  return withRows(opened, (row) => ({ ...row, line: rowAt.get(row.line) ?? row.line }))
}
