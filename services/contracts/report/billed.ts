import Big from 'big.js'
import { decimalsOf } from '../../../shared/fields/currency.ts'

/** What contracts are billed with, in the decimals of a currency. */
export const billedIn = (currency: string) => {
  return { name: 'billed', of: 'totalFeeWithTax', decimals: decimalsOf(currency) } as const
}

/** What one contract is billed with: its total, rounded half away from zero. */
export const billed = (totalFeeWithTax: string, decimals: number): string =>
  new Big(totalFeeWithTax).round(decimals, Big.roundHalfUp).toFixed()
