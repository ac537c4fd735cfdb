import Big from 'big.js'
import type { ExactNumber } from '../api/json.ts'
import { createNumberReader, type NumberReader, signOf } from './numbers.ts'

/** Shows and reads decimals in the form of a locale, without a float in between. */
export interface Decimals extends NumberReader {
  /** For the eye: two decimals, `1,234.57`. */
  rounded(value: ExactNumber): string
  /** All digits, at least two decimals: `1,234.5678`. */
  exact(value: ExactNumber): string
  /** All digits and no more: `8.25`, for percentages and numbers of things. */
  plain(value: ExactNumber): string
  /** For an input field: `1234.5`, without grouping. */
  input(value: ExactNumber): string
}

/** Creates them for the locales of a browser, the preferred one first. */
export function createDecimals(locales: readonly string[]): Decimals {
  const of = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat([...locales], options)
    return (value: ExactNumber) => format.format(plainText(value) as Intl.StringNumericLiteral)
  }
  const point = signOf(new Intl.NumberFormat([...locales], { numberingSystem: 'latn' }), 'decimal')
  return {
    rounded: of({ minimumFractionDigits: 2, maximumFractionDigits: 2 }),
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

/** Whether two decimals are all that a value has. */
export function isRound(value: ExactNumber): boolean {
  return new Big(value).round(2).eq(value)
}

/** The total of a fee with tax, exact: the rule of the contracts service, whose word counts. */
export function totalWithTax(fee: string, percent: string): string {
  return new Big(fee).times(new Big(percent).div(100).plus(1)).toFixed()
}
