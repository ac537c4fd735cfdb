import Big from 'big.js'

/** Contracts added up; the amounts are exact decimals. */
export interface Sums {
  readonly count: number
  readonly serviceFee: string
  readonly tax: string
  readonly totalFeeWithTax: string
}

export interface MonthSums extends Sums {
  /** `2026-03` */
  readonly month: string
}

export const noSums: Sums = { count: 0, serviceFee: '0', tax: '0', totalFeeWithTax: '0' }

export function addUp(all: readonly Sums[]): Sums {
  const total = (name: 'serviceFee' | 'tax' | 'totalFeeWithTax') =>
    all.reduce((sum, one) => sum.plus(one[name]), new Big(0)).toFixed()
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    serviceFee: total('serviceFee'),
    tax: total('tax'),
    totalFeeWithTax: total('totalFeeWithTax'),
  }
}

/** How much more was billed than before, with tax. */
export const differenceOf = (sums: Sums, before: Sums): string =>
  new Big(sums.totalFeeWithTax).minus(before.totalFeeWithTax).toFixed()
