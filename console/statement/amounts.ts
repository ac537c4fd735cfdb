import Big from 'big.js'

/** Amounts as they are printed. */
export interface Amounts {
  readonly fee: string
  readonly tax: string
  readonly billed: string
}

/** What was billed at a tax rate. */
export interface RateSums extends Amounts {
  readonly taxPercent: string
}

/** What a report says of a contract. */
interface Billed {
  readonly serviceFee: string
  readonly taxPercent: string
  readonly billed: string
}

/** A contract's amounts in the currency's decimals: what is printed adds up in its row and in its columns. */
export function amountsOf({ serviceFee, billed }: Billed, places: number): Amounts {
  const fee = new Big(serviceFee).round(places, Big.roundHalfUp)
  return { fee: fee.toFixed(), tax: new Big(billed).minus(fee).toFixed(), billed }
}

export function totalOf(all: readonly Amounts[]): Amounts {
  const total = (name: keyof Amounts) => all.reduce((sum, one) => sum.plus(one[name]), new Big(0)).toFixed()
  return { fee: total('fee'), tax: total('tax'), billed: total('billed') }
}

/** What was billed at each tax rate, the lowest first. */
export function sumsByRate(lines: readonly Billed[], places: number): readonly RateSums[] {
  const rates = Map.groupBy(lines, ({ taxPercent }) => taxPercent)
  return [...rates]
    .map(([taxPercent, some]) => ({ taxPercent, ...totalOf(some.map((line) => amountsOf(line, places))) }))
    .sort((one, other) => Number(one.taxPercent) - Number(other.taxPercent))
}
