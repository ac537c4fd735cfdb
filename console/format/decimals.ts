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
  const whole = new Intl.NumberFormat([...locales], { numberingSystem: 'latn', useGrouping: 'always' })
  const separators = separatorsOf(whole)
  return {
    rounded: of({ minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    exact: of({ minimumFractionDigits: 2, maximumFractionDigits: MOST_DECIMALS }),
    plain: of({ maximumFractionDigits: MOST_DECIMALS }),
    input: (value) => plainText(value).replace('.', separators.point),
    parse: (text) => parseDecimal(text, separators, (digits) => whole.format(digits as Intl.StringNumericLiteral)),
  }
}

const MOST_DECIMALS = 20

/** Digits alone, without an exponent. */
function plainText(value: ExactNumber): string {
  return new Big(value).toFixed()
}

/** Whether two decimals are all that a value has. */
export function isRound(value: ExactNumber): boolean {
  return new Big(value).round(2).eq(value)
}

interface Separators {
  readonly point: string
  readonly group: string
}

function separatorsOf(format: Intl.NumberFormat): Separators {
  const [whole, fraction] = [format.formatToParts(1_000_000), format.formatToParts(1.5)]
  return {
    point: fraction.find(({ type }) => type === 'decimal')?.value ?? '.',
    group: normalised(whole.find(({ type }) => type === 'group')?.value ?? ','),
  }
}

/**
 * `1 234,50` → `1234.50`. A point is also understood where the locale doesn't group with it, and so is grouping with
 * spaces. Digits must be grouped as the locale does, so that `19,99` isn't taken for 1999.
 */
function parseDecimal(
  text: string,
  { point, group }: Separators,
  toGrouped: (digits: string) => string,
): string | undefined {
  const typed = normalised(text.trim())
  const mark = group !== '.' && typed.includes('.') ? '.' : point
  const [whole = '', fraction, ...more] = typed.split(mark)
  if (more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return undefined
  const digits = whole.replaceAll(group, '').replaceAll(' ', '')
  if (!/^\d+$/.test(digits)) return undefined
  const grouped = normalised(toGrouped(digits))
  if (![digits, grouped, grouped.replaceAll(group, ' ')].includes(whole)) return undefined
  // JSON has no numbers that begin with a zero.
  const number = digits.replace(/^0+(?=\d)/, '')
  return fraction === undefined ? number : `${number}.${fraction}`
}

/** With one kind of space, and one of apostrophe, where locales group with several. */
function normalised(text: string): string {
  return text.replace(/[\u00a0\u202f\u2009]/g, ' ').replaceAll('’', "'")
}

/** The total of a fee with tax, exact: the rule of the contracts service, whose word counts. */
export function totalWithTax(fee: string, percent: string): string {
  return new Big(fee).times(new Big(percent).div(100).plus(1)).toFixed()
}
