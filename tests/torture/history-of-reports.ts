import type { Invocation } from './history.ts'

/** As reports show them: exact decimals as texts. */
export interface Sums {
  readonly count: number
  readonly serviceFee: string
  readonly tax: string
  readonly totalFeeWithTax: string
}

/** Contracts added up as of a moment. */
export interface Report extends Invocation {
  readonly type: 'report'
  /** What was asked for, without the moment. */
  readonly query: string
  /** In milliseconds since the epoch. */
  readonly asOf: number
  /** Whether the moment was left to Mint. */
  readonly isOfNow: boolean
  /** Whether, as is promised, the answer never changes again. */
  readonly isFinal: boolean
  /** Its rows, sorted, but for the names of clients, which follow the topic. */
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
