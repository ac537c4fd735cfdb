import Big from 'big.js'
import { sumOf } from '../format/decimals.ts'

/** Contracts added up; the amounts are exact decimals. */
export interface Sums {
  readonly count: number
  readonly serviceFee: string
  readonly tax: string
  readonly totalFeeWithTax: string
  /** Each contract's total rounded, then added up. */
  readonly billed: string
}

/** What was billed, with tax, and exactly. */
export type Billed = Pick<Sums, 'billed' | 'totalFeeWithTax'>

export interface MonthSums extends Sums {
  /** `2026-03` */
  readonly month: string
}

export const noSums: Sums = { count: 0, serviceFee: '0', tax: '0', totalFeeWithTax: '0', billed: '0' }

export function addUp(all: readonly Sums[]): Sums {
  const total = (name: Exclude<keyof Sums, 'count'>) => sumOf(all.map((one) => one[name]))
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    serviceFee: total('serviceFee'),
    tax: total('tax'),
    totalFeeWithTax: total('totalFeeWithTax'),
    billed: total('billed'),
  }
}

export const addUpLines = (lines: readonly Omit<Sums, 'count'>[]): Sums =>
  addUp(lines.map((line) => ({ ...line, count: 1 })))

/** The tax that was billed: totals less fees, and rounded as totals are. `tax` is exact. */
export const billedTax = ({ billed, serviceFee }: Pick<Sums, 'billed' | 'serviceFee'>): string =>
  new Big(billed).minus(serviceFee).toFixed()

/** How much more was billed than before, with tax. */
export function differenceOf(sums: Billed, before: Billed): Billed {
  const less = (name: keyof Billed) => new Big(sums[name]).minus(before[name]).toFixed()
  return { billed: less('billed'), totalFeeWithTax: less('totalFeeWithTax') }
}

/** The same as a share of what was billed before, 0.25 for a quarter more; undefined: nothing was, or it cancels out. */
export function changeOf(sums: Billed, before: Billed): number | undefined {
  const base = new Big(before.billed).abs()
  return base.eq(0) ? undefined : new Big(sums.billed).minus(before.billed).div(base).toNumber()
}
