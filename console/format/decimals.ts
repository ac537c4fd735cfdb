import Big from 'big.js'
import type { ExactNumber } from '../api/json.ts'
import { createNumberReader, type NumberReader, signOf } from './numbers.ts'

/** Shows and reads decimals in the form of a locale, without a float in between. */
export interface Decimals extends NumberReader {
  /** An amount for the eye, with the firm's currency and its decimals: `$1,234.57`. */
  rounded(value: ExactNumber): string
  /** The same with all digits: `$1,234.5678`. */
  inFull(value: ExactNumber): string
  /** Whether an amount has no more decimals than the firm's currency. */
  isRound(value: ExactNumber): boolean
  /** All digits, at least two decimals: `1,234.5678`. */
  exact(value: ExactNumber): string
  /** All digits and no more: `8.25`, for percentages and numbers of things. */
  plain(value: ExactNumber): string
  /** For an input field: `1234.5`, without grouping. */
  input(value: ExactNumber): string
}

/** What all amounts are in. */
export interface Currency {
  /** Of ISO 4217; '': the firm has none. */
  readonly code: string
  /** How many an amount is billed with. */
  readonly decimals: number
}

export const NO_CURRENCY: Currency = { code: '', decimals: 2 }

/** Creates them for the locales of a browser, the preferred one first, and the firm's currency, which may change. */
export function createDecimals(locales: readonly string[], currencyNow = (): Currency => NO_CURRENCY): Decimals {
  const of = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat([...locales], options)
    return (value: ExactNumber) => format.format(plainText(value) as Intl.StringNumericLiteral)
  }
  /** A format that is made once for each currency. `most`: how many decimals it has at most. */
  const money = (most?: number) => {
    let made: { readonly currency: Currency; format(value: ExactNumber): string } | undefined
    return (value: ExactNumber): string => {
      const currency = currencyNow()
      const { code, decimals } = currency
      if (made?.currency !== currency) {
        const digits = { minimumFractionDigits: decimals, maximumFractionDigits: most ?? decimals }
        made = { currency, format: of({ ...(code !== '' && { style: 'currency', currency: code }), ...digits }) }
      }
      return made.format(value)
    }
  }
  const point = signOf(new Intl.NumberFormat([...locales], { numberingSystem: 'latn' }), 'decimal')
  return {
    rounded: money(),
    inFull: money(MAX_DECIMALS),
    isRound: (value) => new Big(value).round(currencyNow().decimals).eq(value),
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

/** The total of a fee with tax, exact: the rule of the contracts service, whose word counts. */
export function totalWithTax(fee: string, percent: string): string {
  return new Big(fee).times(new Big(percent).div(100).plus(1)).toFixed()
}
