import Big from 'big.js'

const HUNDRED = new Big(100)
const HUNDREDTH = new Big('0.01')

/** fee × (1 + percent / 100), exact, never rounded. Multiplies by 0.01 because big.js rounds divisions. */
export function totalWithTax(fee: string, taxPercent: string): string {
  return new Big(taxPercent).plus(HUNDRED).times(HUNDREDTH).times(fee).toFixed()
}
