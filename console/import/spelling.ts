import type { FieldKind } from '../fields/fields.ts'

/** How a file writes numbers and dates: spreadsheets write them as their country does. */
export interface Spelling {
  /** What stands before the decimals. */
  readonly decimalMark: '.' | ','
  /** Year, month and day as Mint takes them, or the day or the month first. */
  readonly dateOrder: DateOrder
}

export type DateOrder = 'ymd' | 'dmy' | 'mdy'

/** 1.234,56 or 330,5: three digits alone after a comma may be thousands. */
const WITH_COMMA = /^(?:\d{1,3}(?:\.\d{3})+,\d+|\d+,(?:\d{1,2}|\d{4,}))$/
const WITH_POINT = /^(?:\d{1,3}(?:,\d{3})+\.\d+|\d+\.(?:\d{1,2}|\d{4,}))$/
/** A number, perhaps grouped. `1,234` alone is none: it may have been meant either way. */
const SPELLED = { ',': /^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$/, '.': /^(?:\d{1,3}(?:,\d{3})+(?=\.)|\d+)(?:\.\d+)?$/ }
const DATE = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/

/** Guesses the spelling of a file from all of its cells. `isMonthFirst`: of dates that can be read both ways. */
export function createSpellingGuess(isMonthFirst: boolean) {
  const seen = { comma: false, point: false, dayFirst: false, monthFirst: false, date: false }

  function see(cell: string): void {
    const text = bareNumber(cell)
    if (WITH_COMMA.test(text)) seen.comma = true
    else if (WITH_POINT.test(text)) seen.point = true
    const [, first, separator, second] = DATE.exec(cell.trim()) ?? []
    if (first === undefined) return
    seen.date = true
    if (separator === '.' || Number(first) > 12) seen.dayFirst = true
    else if (Number(second) > 12) seen.monthFirst = true
  }

  function dateOrder(): DateOrder {
    if (!seen.date) return 'ymd'
    const isKnown = seen.dayFirst !== seen.monthFirst
    return (isKnown ? seen.monthFirst : isMonthFirst) ? 'mdy' : 'dmy'
  }

  return {
    see,
    guess: (): Spelling => ({ decimalMark: seen.comma && !seen.point ? ',' : '.', dateOrder: dateOrder() }),
  }
}

/** A cell as Mint takes it. What isn't spelled so stays as it is, for Mint to judge. */
export function respell(cell: string, kind: FieldKind | undefined, spelling: Spelling): string {
  if (kind === 'date') return plainDate(cell, spelling.dateOrder)
  return kind === 'amount' || kind === 'decimal' ? plainNumber(cell, spelling.decimalMark) : cell
}

function plainNumber(cell: string, mark: Spelling['decimalMark']): string {
  const text = bareNumber(cell)
  if (!SPELLED[mark].test(text)) return cell
  return mark === ',' ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', '')
}

/** Without spaces, and without the sign of a currency or percentage that a spreadsheet shows. */
function bareNumber(cell: string): string {
  return cell.replace(/\s/g, '').replace(/^[€$£]|[€$£%]$/g, '')
}

function plainDate(cell: string, order: DateOrder): string {
  const [, first = '', , second = '', year] = DATE.exec(cell.trim()) ?? []
  if (order === 'ymd' || year === undefined) return cell
  const [day, month] = order === 'dmy' ? [first, second] : [second, first]
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** Whether a locale writes the month before the day. */
export function writesMonthFirst(locales: readonly string[]): boolean {
  const parts = new Intl.DateTimeFormat([...locales], { dateStyle: 'short' }).formatToParts()
  const order = parts.map(({ type }) => type).filter((type) => type === 'day' || type === 'month')
  return order[0] === 'month'
}
