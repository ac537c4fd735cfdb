import type { Decimals } from '../format/decimals.ts'
import { addUpLines, type Sums } from '../overview/sums.ts'

/** What was billed at a tax rate. */
export interface RateSums extends Sums {
  readonly taxPercent: string
}

type BilledLine = Omit<RateSums, 'count'>

/** Lines with fees in the currency's decimals: what is printed adds up in its row and in its columns. */
export function printedLines<Line extends BilledLine>(lines: readonly Line[], decimals: Decimals): readonly Line[] {
  return lines.map((line) => ({ ...line, serviceFee: decimals.billed(line.serviceFee) }))
}

/** What was billed at each tax rate, the lowest first. */
export function sumsByRate(lines: readonly BilledLine[]): readonly RateSums[] {
  const rates = Map.groupBy(lines, ({ taxPercent }) => taxPercent)
  return [...rates]
    .map(([taxPercent, some]) => ({ taxPercent, ...addUpLines(some) }))
    .sort((one, other) => Number(one.taxPercent) - Number(other.taxPercent))
}
