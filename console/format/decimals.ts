import Big from 'big.js'
import type { ExactNumber } from '../api/json.ts'

/** Shows and reads decimals in the form of a locale, without a float in between. */
export interface Decimals {
  /** For the eye: two decimals, `1,234.57`. */
  rounded(value: ExactNumber): string
  /** All digits, at least two decimals: `1,234.5678`. */
  exact(value: ExactNumber): string
  /** All digits and no more: `8.25`, for percentages and numbers of things. */
  plain(value: ExactNumber): string
  /** For an input field: `1234.5`, without grouping. */
  input(value: ExactNumber): string
  /** Reads what somebody typed, with or without grouping; undefined: not a decimal. */
  parse(text: string): string | undefined
}

/** Creates them for the locales of a browser, the preferred one first. */
export function createDecimals(locales: readonly string[]): Decimals {
  const of = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat([...locales], options)
    return (value: ExactNumber) => format.format(plainText(value) as Intl.StringNumericLiteral)
  }
  const parts = new Intl.NumberFormat([...locales], { numberingSystem: 'latn' }).formatToParts(-1234567.8)
  const point = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  const group = parts.find(({ type }) => type === 'group')?.value ?? ','
  return {
    rounded: of({ minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    exact: of({ minimumFractionDigits: 2, maximumFractionDigits: MOST_DECIMALS }),
    plain: of({ maximumFractionDigits: MOST_DECIMALS }),
    input: (value) => plainText(value).replace('.', point),
    parse: (text) => parseDecimal(text, point, group),
  }
}

const MOST_DECIMALS = 20

/** Digits alone, without an exponent. */
export function plainText(value: ExactNumber): string {
  return new Big(value).toFixed()
}

/** Whether two decimals are all that a value has. */
export function isRound(value: ExactNumber): boolean {
  return new Big(value).round(2).eq(value)
}

/**
 * `1 234,50` → `1234.50`, for a locale with these separators. A point is also understood where it can't be meant as
 * grouping. Grouping must be in threes, so that `19,99` isn't taken for 1999.
 */
function parseDecimal(text: string, point: string, group: string): string | undefined {
  const compact = text.trim().replaceAll(SPACES, ' ')
  const groups = isSpace(group) ? [' ', "'"] : [group, ' ', "'"]
  const points = group === '.' ? [point] : [point, '.']
  for (const separator of ['', ...groups]) {
    for (const mark of points) {
      if (mark === separator) continue
      const whole = separator === '' ? '\\d+' : `\\d{1,3}(?:${escaped(separator)}\\d{3})+`
      const match = new RegExp(`^(${whole})(?:${escaped(mark)}(\\d+))?$`).exec(compact)
      if (!match) continue
      const digits = (match[1] ?? '').replace(/\D/g, '')
      return match[2] === undefined ? digits : `${digits}.${match[2]}`
    }
  }
  return undefined
}

/** Spaces that group digits (no-break, narrow no-break, thin), and the apostrophes of Switzerland. */
const SPACES = /[\u00a0\u202f\u2009]/g
const isSpace = (text: string): boolean => /^\s$/.test(text)
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The total of a fee with tax, exact: the rule of the contracts service, whose word counts. */
export function totalWithTax(fee: string, percent: string): string {
  return new Big(fee).times(new Big(percent).div(100).plus(1)).toFixed()
}
