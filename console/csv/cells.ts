import type { RawRow } from './rows.ts'

/** A row with its cells; undefined: its quotes are wrong. */
export interface ReadRow extends RawRow {
  readonly cells: readonly string[] | undefined
}

/** A row with its cells. */
export function readRow(row: RawRow, delimiter: Delimiter): ReadRow {
  return { ...row, cells: cellsOf(row.text, delimiter) }
}

/** Whether anything is written in a row: a spreadsheet may end with others. */
export function hasCells({ cells }: ReadRow): boolean {
  return cells?.some((cell) => cell.trim() !== '') ?? true
}

/** What separates the cells of a row. */
export type Delimiter = ',' | ';' | '\t'

const CELL: Readonly<Record<Delimiter, RegExp>> = {
  ',': /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/gy,
  ';': /(?:"((?:[^"]|"")*)"|([^";]*))(;|$)/gy,
  '\t': /(?:"((?:[^"]|"")*)"|([^"\t]*))(\t|$)/gy,
}

/**
 * The cells of a row (RFC 4180), as Mint reads them; undefined: a quote is misplaced. A parser made for more than that
 * would weigh as much as half of the console.
 */
export function cellsOf(text: string, delimiter: Delimiter): readonly string[] | undefined {
  const cells: string[] = []
  for (const [, quoted, plain = '', end] of text.matchAll(CELL[delimiter])) {
    cells.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '') return cells
  }
  return undefined
}

/** The first delimiter that a header has outside quotes; by default, a comma. */
export function delimiterOf(header: string): Delimiter {
  return (/[,;\t]/.exec(header.replace(/"[^"]*"/g, ''))?.[0] ?? ',') as Delimiter
}

/** A cell without the apostrophe that keeps spreadsheets from taking it for a formula, as Mint reads it. */
export const withoutApostrophe = (cell: string): string => cell.replace(/^'/, '')

/** A cell of a file, in which the apostrophe of a name such as 't Hooft is doubled, as Mint takes one off. */
export const withOwnApostrophe = (cell: string): string => cell.replace(/^'(?=\p{L})/u, "''")

/** A text as Mint reads it back from a cell. */
export const withApostrophe = (text: string): string => text.replace(/^'/, "''")

/** A row as it is sent. */
export const writeRow = (cells: readonly string[]): string => joinCells(cells, ',')

/** A row with this delimiter. */
export function joinCells(cells: readonly string[], delimiter: Exclude<Delimiter, '\t'>): string {
  const special = delimiter === ',' ? /[",;\r\n]/ : /[";\r\n]/
  return cells.map((cell) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)
}
