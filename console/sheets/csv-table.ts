import Big from 'big.js'
import { cellsOf, joinCells, withoutApostrophe } from '../csv/cells.ts'
import { rowsOf } from '../csv/rows.ts'
import { createNumberReader } from '../format/numbers.ts'
import type { SheetColumn, SheetType, SheetValue } from './cells.ts'

/** A column of a sheet that is made from a CSV file of the API. */
export interface FileColumn extends SheetColumn {
  /** The columns of the file that have its values: the first one that isn't empty is used. */
  readonly from: readonly string[]
  /** Two columns of the file whose difference is used instead. */
  readonly difference?: readonly [of: string, less: string]
}

/** How a language writes numbers and dates in files. */
export interface FileSpelling {
  readonly number: (text: string) => string
  readonly date: (day: string) => string
}

/** How spreadsheets in these locales read files; undefined: as Mint writes them. */
export function createFileSpelling(locales: readonly string[]): FileSpelling | undefined {
  if (createNumberReader(locales).mark !== ',') return undefined
  const format = new Intl.DateTimeFormat([...locales], {
    calendar: 'gregory',
    numberingSystem: 'latn',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return {
    number: (text) => text.replace('.', ','),
    date(day) {
      const text = format.format(new Date(day))
      // Other forms can't be imported again.
      return /^\d\d([./-])\d\d\1\d{4}$/.test(text) ? text : day
    },
  }
}

/** The values of a file's rows, in the order of these columns. */
export async function* valuesOf(file: Blob, columns: readonly FileColumn[]): AsyncGenerator<readonly SheetValue[]> {
  const rows = cellsIn(file)
  const names: readonly string[] = (await rows.next()).value ?? []
  const placeOf = (name: string) => names.indexOf(name)
  const places = columns.map(({ from, difference }) => {
    return { from: from.map(placeOf), difference: difference?.map(placeOf) }
  })
  for await (const cells of rows) {
    yield places.map(({ from, difference: [of, less] = [] }) => {
      if (of !== undefined && less !== undefined) return new Big(cells[of] ?? 0).minus(cells[less] ?? 0).toFixed()
      return withoutApostrophe(cells[from.find((index) => cells[index]) ?? -1] ?? '')
    })
  }
}

/** The same file with semicolons, and with numbers and dates as a language writes them. */
export async function respelledFile(file: Blob, columns: readonly FileColumn[], spelling: FileSpelling): Promise<Blob> {
  const rows = cellsIn(file)
  const names: readonly string[] = (await rows.next()).value ?? []
  const types = names.map((name) => columns.find(({ from }) => from.includes(name))?.type ?? typeOf(name))
  const parts = [`\ufeff${joinCells(names, ';')}\r\n`]
  let part = ''
  for await (const cells of rows) {
    const written = cells.map((cell, index) => spelled(cell, types[index], spelling))
    part += `${joinCells(written, ';')}\r\n`
    if (part.length < PART_CHARACTERS) continue
    parts.push(part)
    part = ''
  }
  return new Blob([...parts, part], { type: file.type })
}

/** A part for each row would take twice the memory. */
const PART_CHARACTERS = 1_000_000

/** The type of a column that sheets don't have: only files have the exact total next to the billed one. */
const typeOf = (name: string): SheetType => (name === 'totalFeeWithTax' ? 'amount' : 'text')

function spelled(cell: string, type: SheetType | undefined, { number, date }: FileSpelling): string {
  if (cell === '') return cell
  if (type === 'date') return date(cell)
  return type === 'amount' || type === 'decimal' ? number(cell) : cell
}

async function* cellsIn(file: Blob): AsyncGenerator<readonly string[]> {
  for await (const { text } of rowsOf(file.stream())) yield cellsOf(text, ',') ?? []
}
