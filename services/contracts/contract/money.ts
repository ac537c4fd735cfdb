import Big from 'big.js'

const HUNDRED = new Big(100)
const HUNDREDTH = new Big('0.01')

/**
 * The fee with its tax: fee × (1 + percent / 100), exact and not rounded, in plain notation without trailing zeros.
 * Both come as decimal strings; `0.01` is multiplied with rather than divided by 100 because only big.js's division
 * rounds.
 */
export function totalWithTax(fee: string, taxPercent: string): string {
  return new Big(taxPercent).plus(HUNDRED).times(HUNDREDTH).times(fee).toFixed()
}
