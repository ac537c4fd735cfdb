import Big from 'big.js'
import type { FieldKind } from '../fields/overrides.ts'
import { isDay } from '../format/calendar.ts'
import { isNumber } from '../format/numbers.ts'

/** A column of a spreadsheet: its heading, and how its values are written. */
export interface SheetColumn {
  readonly heading: string
  readonly type: SheetType
}

/** Fields are written as on the screen, amounts with the firm's decimals; a month is `2026-03`. */
export type SheetType = FieldKind | 'month'

/** A value as the API writes it; null, undefined and '' leave its cell empty. */
export type SheetValue = string | number | null | undefined

/** A cell as write-excel-file accepts it. */
export interface SheetCell {
  readonly value: string | number | Date
  readonly type: StringConstructor | NumberConstructor | DateConstructor
  readonly format?: string
}

/** The cell of a value. A value that doesn't fit its type is written as text, so that nothing is lost. */
export function cellOf(value: SheetValue, type: SheetType, decimals: number): SheetCell | null {
  if (value === null || value === undefined || value === '') return null
  const text = String(value)
  if (type === 'date' && isDateOfSheets(text)) return dateCell(new Date(text.slice(0, 10)), 'yyyy-mm-dd')
  if (type === 'month' && isDateOfSheets(`${text}-01`)) return dateCell(new Date(`${text}-01`), 'mmmm yyyy')
  if (type === 'moment' && isDateOfSheets(text)) return dateCell(wallClock(new Date(text)), 'yyyy-mm-dd hh:mm')
  if (['amount', 'decimal', 'number'].includes(type) && isNumber(text)) {
    const format = { amount: amountFormat(decimals), number: '0' }[type as string]
    return { value: Number(text), type: Number, ...(format !== undefined && { format }) }
  }
  return { value: text, type: String }
}

const amountFormat = (decimals: number): string => (decimals === 0 ? '#,##0' : `#,##0.${'0'.repeat(decimals)}`)

const dateCell = (value: Date, format: string): SheetCell => ({ value, type: Date, format })

/** Spreadsheets count days from 1900, which they treat as a leap year. */
const isDateOfSheets = (text: string): boolean => isDay(text.slice(0, 10)) && text >= '1900-03-01'

/** Spreadsheets know no time zones: the time that a clock shows here. */
const wallClock = (moment: Date): Date => new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)

/**
 * A cell from read-excel-file as an unambiguous text: dates as `2026-03-31`, and numbers with the digits that
 * spreadsheets store.
 */
export function textOfCell(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '')
  return typeof cell === 'number' ? textOfNumber(cell) : String(cell)
}

function textOfNumber(value: number): string {
  const text = new Big(value.toPrecision(SHEET_DIGITS)).toFixed()
  // With three decimals it could be read as thousands.
  return /^-?\d{1,3}\.\d{3}$/.test(text) ? `${text}0` : text
}

const SHEET_DIGITS = 15
