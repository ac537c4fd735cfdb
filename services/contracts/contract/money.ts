import Big from 'big.js'

const HUNDRED = new Big(100)
const HUNDREDTH = new Big('0.01')

/** fee × (1 + percent / 100), exact and not rounded. `0.01` is a factor because only big.js’s division rounds. */
export function totalWithTax(fee: string, taxPercent: string): string {
  return new Big(taxPercent).plus(HUNDRED).times(HUNDREDTH).times(fee).toFixed()
}
