import Big from 'big.js'
import { decimalsOf } from '../../../shared/fields/currency.ts'

/** The rounding of billed amounts: totals in the decimals of a currency. */
export const billedIn = (currency: string) => {
  return { name: 'billed', of: 'totalFeeWithTax', decimals: decimalsOf(currency) } as const
}

/** The billed amount of one contract: its total, rounded half away from zero. */
export const billed = (totalFeeWithTax: string, decimals: number): string =>
  new Big(totalFeeWithTax).round(decimals, Big.roundHalfUp).toFixed()
