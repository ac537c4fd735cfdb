import type { Violation } from '../api/problem.ts'
import { hasCells, type ReadRow, writeRow } from './cells.ts'

/** Which field each column fills, in the order of the file; undefined: it is left out. */
export type Mapping = readonly (string | undefined)[]

/** A cell as it is sent; it isn't sent if it has a problem. */
export interface ReadCell {
  readonly text: string
  readonly problem?: string
}

/** A row that is invalid, or that Mint rejects. */
export interface WrongRow {
  /** Where it begins in the file, from 1; of the header: undefined. */
  readonly line: number | undefined
  /** The field that is wrong; '' for the row as a whole. */
  readonly field: string
  /** The API's code, or that of a problem with the file itself; '': only the message says it. */
  readonly code: string
  readonly message: string
  /** The row as it is in the file. */
  readonly text: string
}

/** A row, the text that it is sent as, and what is wrong with it before Mint sees it. */
export interface SentRow {
  readonly row: ReadRow
  readonly text: string
  readonly wrong: readonly WrongRow[]
}

interface SendOptions {
  /** The columns that are sent, and the field that each fills. */
  readonly chosen: readonly { readonly name: string; readonly index: number }[]
  /** How many columns the file has. */
  readonly columns: number
  readonly read: (cell: string, column: number) => ReadCell
}

/** A row of a file as it is sent. */
export function toSend(row: ReadRow, { chosen, columns, read }: SendOptions): SentRow {
  const cells = chosen.map(({ name, index }) => ({ field: name, ...read(row.cells?.[index] ?? '', index) }))
  const text = writeRow(cells.map((cell) => cell.text))
  const wrong = (code: string, message: string, field = '') => ({
    line: row.line,
    text: row.text,
    field,
    code,
    message,
  })
  const count = row.cells?.length
  if (count === undefined) return { row, text, wrong: [wrong('misplaced_quote', MISPLACED_QUOTE)] }
  // Some programs end every row with a delimiter, but not the header.
  const isLonger = hasCells({ ...row, cells: row.cells?.slice(columns) })
  if (count < columns || isLonger)
    return { row, text, wrong: [wrong('cell_count', otherNumberOfCells(count, columns))] }
  // Mint skips empty lines.
  if (chosen.length > 0 && text === '') return { row, text, wrong: [wrong('only_cell_empty', ONLY_CELL_EMPTY)] }
  return { row, text, wrong: cells.flatMap(({ field, problem }) => (problem ? [wrong('', problem, field)] : [])) }
}

const MISPLACED_QUOTE = 'A quote is misplaced. Put the text in quotes, and double each quote in it.'
const ONLY_CELL_EMPTY = 'The only cell that is imported is empty. Fill it in, or delete the row.'
const otherNumberOfCells = (cells: number, columns: number): string =>
  `Has ${cells} cells, but the header has ${columns}. Put a text with a separator in quotes, or complete the row.`

/** An error of a piece at its row in the file. */
export function wrongRow({ line = 1, pointer, code, message }: Violation, rows: readonly SentRow[]): WrongRow {
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
