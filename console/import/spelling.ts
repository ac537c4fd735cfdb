import Big from 'big.js'
import { withoutApostrophe } from '../csv/cells.ts'
import type { ReadCell } from '../csv/sent-rows.ts'
import { isDay } from '../format/calendar.ts'
import { bareText } from '../format/fold.ts'
import { type DecimalMark, isNumber, type NumberReader } from '../format/numbers.ts'
import { text } from '../languages/texts.ts'

/**
 * How a column is written: numbers by their decimal mark, dates by what comes first, taxes as percentages or as
 * fractions of 1.
 */
export type Spelling = DecimalMark | DateOrder | 'percent' | 'share'

export type DateOrder = 'dmy' | 'mdy'

/** Something that is written in one of two ways. */
export interface Notation {
  readonly type: 'numbers' | 'dates' | 'shares'
  readonly spellings: readonly [Spelling, Spelling]
  /** Matches cells that may distinguish one spelling from the other. */
  readonly telling: RegExp
  /** A cell read in each spelling, in Mint's notation; undefined: it isn't spelled that way. */
  readings(cell: string): CellReadings
  /** Why a cell isn't read. */
  problem(cell: string, spelling: Spelling): string
}

type CellReadings = Readonly<Partial<Record<Spelling, string | undefined>>>

/** A cell of a column with this spelling, in Mint's notation. A cell in another spelling is a problem, and never guessed. */
export function respell(cell: string, notation: Notation, spelling: Spelling): ReadCell {
  if (cell.trim() === '') return { text: cell }
  const read = notation.readings(cell)[spelling]
  // Unchanged, as every other client sends it, so that it is the same file to Mint.
  if (spelling === '.' && read !== undefined && isNumber(withoutApostrophe(cell))) return { text: cell }
  return read === undefined ? { text: cell, problem: notation.problem(cell, spelling) } : { text: read }
}

export const createNumberNotation = (reader: Pick<NumberReader, 'readings'>): Notation => ({
  type: 'numbers',
  spellings: ['.', ','],
  telling: /[.,،⹁]/,
  readings: reader.readings,
  problem: (_cell, spelling) => text(spelling === ',' ? 'import.notWithComma' : 'import.notWithPoint'),
})

export const dateNotation: Notation = {
  type: 'dates',
  spellings: ['dmy', 'mdy'],
  telling: /^\s*\d{1,4}[./-]/,
  readings(cell) {
    const text = cell.trim().replace(MIDNIGHT, '')
    if (/^\d{4}-\d{2}-\d{2}/.test(text)) return isDay(text.slice(0, 10)) ? { dmy: text, mdy: text } : {}
    const clear = clearDay(text)
    if (clear !== undefined) return { dmy: clear, mdy: clear }
    const [, first = '', separator, second = '', year = ''] = DATE.exec(text) ?? []
    const dmy = dayOf(year, second, first)
    // Nobody who separates dates with points writes the month first.
    return separator === '.' ? { dmy } : { dmy, mdy: dayOf(year, first, second) }
  },
  problem(cell, spelling) {
    if (SHORT_YEAR.test(cell.trim())) return text('fields.twoDigitYear')
    return text('import.noDate', { example: spelling === 'dmy' ? '31.12.2026' : '12/31/2026' })
  },
}

function dayOf(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(text) ? text : undefined
}

/** The day of a date that begins with its year, or names its month. */
function clearDay(text: string): string | undefined {
  const [, year, , month = '', day = ''] = YEAR_FIRST.exec(text) ?? []
  if (year !== undefined) return dayOf(year, month, day)
  const [, dayNamed = '', name = '', yearNamed = ''] = NAMED_MONTH.exec(text.replace(MONTH_FIRST, '$2 $1 $3')) ?? []
  return dayOf(yearNamed, MONTHS.get(bareText(name)) ?? '', dayNamed)
}

/** Databases and spreadsheets write it after dates. */
const MIDNIGHT = /[T ](0?0:00(:00(\.0+)?)?|12:00(:00)? AM)$/i
const YEAR_FIRST = /^(?!\d{6,7}$)(\d{4})([./-]?)(\d{1,2})\2(\d{1,2})$/
const MONTH_FIRST = /^(\p{L}+)\.? (\d{1,2}),? (\d{4})$/u
const NAMED_MONTH = /^(\d{1,2})\.?[ -](?:de )?(\p{L}+)\.?(?:[ -]| de )(\d{4})$/u

/** The numbers of months by their names, in the languages whose headings Mint knows. */
const MONTHS = new Map(
  ['en', 'de', 'fr', 'es'].flatMap((locale) =>
    (['long', 'short'] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' })
      return Array.from(
        { length: 12 },
        (_, at) => [bareText(format.format(Date.UTC(2000, at))), String(at + 1)] as const,
      )
    }),
  ),
)

const DATE = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/
/** A date whose year has two digits. */
export const SHORT_YEAR = /^\d{1,2}([./-])\d{1,2}\1\d{2}$/

/** Taxes in percent: in a spreadsheet, a cell that shows 19 % holds 0.19. */
export const shareNotation: Notation = {
  type: 'shares',
  spellings: ['percent', 'share'],
  telling: /^\s*\d{1,3}([.,]\d+)?\s*%?\s*$/,
  readings(cell) {
    const percent = cell.replace(',', '.').replace('%', '').trim()
    const canBeShare = !cell.includes('%') && Number(percent) <= 1
    return { percent, share: canBeShare ? new Big(percent).times(100).toFixed() : undefined }
  },
  problem: () => text('import.notAShare'),
}
