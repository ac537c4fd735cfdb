import Big from 'big.js'
import type { ExactNumber } from '../api/json.ts'
import { createNumberReader, type NumberReader, signOf } from './numbers.ts'

/** Formats and reads decimals for a locale, without going through a float. */
export interface Decimals extends NumberReader {
  /** A rounded amount, with the firm's currency and its decimals: `$1,234.57`. */
  rounded(value: ExactNumber): string
  /** The same with all digits: `$1,234.5678`. */
  inFull(value: ExactNumber): string
  /** The amount that a contract's total is billed as: half a unit of the currency's decimals is rounded away from zero. */
  billed(value: ExactNumber): string
  /** Whether an amount has no more decimals than the firm's currency. */
  isRound(value: ExactNumber): boolean
  /** All digits, at least two decimals: `1,234.5678`. */
  exact(value: ExactNumber): string
  /** All digits and no more: `8.25`, for percentages and numbers of things. */
  plain(value: ExactNumber): string
  /** For an input field: `1234.5`, without grouping. */
  input(value: ExactNumber): string
}

/** The currency of all amounts. */
export interface Currency {
  /** Of ISO 4217; '': the firm has none. */
  readonly code: string
  /** How many decimals an amount is billed with. */
  readonly decimals: number
}

export const NO_CURRENCY: Currency = { code: '', decimals: 2 }

/** Creates formats for the locales of a browser, the preferred one first, and the firm's currency, which may change. */
export function createDecimals(locales: readonly string[], currencyNow = (): Currency => NO_CURRENCY): Decimals {
  const of = (options: Intl.NumberFormatOptions) => {
    // What is rounded to zero has no sign.
    const format = new Intl.NumberFormat([...locales], { ...options, signDisplay: 'negative' })
    return (value: ExactNumber) => format.format(plainText(value) as Intl.StringNumericLiteral)
  }
  /** A format that is created once for each currency. */
  const money = (maxDecimals?: number) => {
    let made: { readonly currency: Currency; format(value: ExactNumber): string } | undefined
    return (value: ExactNumber): string => {
      const currency = currencyNow()
      const { code, decimals } = currency
      if (made?.currency !== currency) {
        const digits = { minimumFractionDigits: decimals, maximumFractionDigits: maxDecimals ?? decimals }
        made = { currency, format: of({ ...(code !== '' && { style: 'currency', currency: code }), ...digits }) }
      }
      return made.format(value)
    }
  }
  const billed = (value: ExactNumber) => new Big(value).round(currencyNow().decimals, Big.roundHalfUp).toFixed()
  const point = signOf(new Intl.NumberFormat([...locales], { numberingSystem: 'latn' }), 'decimal')
  return {
    rounded: money(),
    inFull: money(MAX_DECIMALS),
    billed,
    isRound: (value) => new Big(value).eq(billed(value)),
    exact: of({ minimumFractionDigits: 2, maximumFractionDigits: MAX_DECIMALS }),
    plain: of({ maximumFractionDigits: MAX_DECIMALS }),
    input: (value) => plainText(value).replace('.', point ?? '.'),
    ...createNumberReader(locales),
  }
}

const MAX_DECIMALS = 20

/** Digits alone, without an exponent. */
function plainText(value: ExactNumber): string {
  return new Big(value).toFixed()
}

/** The exact sum of decimals. */
export function sumOf(values: readonly ExactNumber[]): string {
  return values.reduce((sum: Big, value) => sum.plus(value), new Big(0)).toFixed()
}

/** The exact total of a fee with tax, by the rule of the contracts service, whose result is what counts. */
export function totalWithTax(fee: string, percent: string): string {
  return new Big(fee).times(new Big(percent).div(100).plus(1)).toFixed()
}
