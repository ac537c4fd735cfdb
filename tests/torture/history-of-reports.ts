import type { Invocation } from './history.ts'

/** As in reports: exact decimals as texts. */
export interface Sums {
  readonly count: number
  readonly serviceFee: string
  readonly tax: string
  readonly totalFeeWithTax: string
}

/** A report of contracts as of a moment. */
export interface Report extends Invocation {
  readonly type: 'report'
  /** The query, without the moment. */
  readonly query: string
  /** In milliseconds since the epoch. */
  readonly asOf: number
  /** Whether the moment was left to Mint. */
  readonly isOfNow: boolean
  /** Whether the answer is promised never to change again. */
  readonly isFinal: boolean
  /** Its rows, sorted, without the names of clients, which follow the topic. */
  readonly rows: string
  readonly sums: Sums
}

/** A list of what changed between two moments, and the reports of both. */
export interface Changes extends Invocation {
  readonly type: 'changes'
  readonly since: Sums
  readonly until: Sums
  readonly difference: Sums
  readonly isFinal: boolean
}
