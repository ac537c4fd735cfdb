import { type Measured, median } from './measure/rounds.ts'

/** One figure of a section's table. */
export interface Row {
  readonly what: string
  readonly value: number
  /** For example `requests/s`, `ms`, `MB`. */
  readonly unit: string
  /** The lowest and the highest round, if there were several. */
  readonly spread?: readonly [number, number]
  readonly p99Milliseconds?: number
  /** Processor time of the serving processes per request. */
  readonly processorMicroseconds?: number
}

/** A target, and the figure measured. */
export interface Check {
  readonly what: string
  readonly value: number
  /** `×` for a ratio of two figures of this run. */
  readonly unit: string
  readonly atLeast?: number
  readonly atMost?: number
}

export interface SectionResult {
  readonly title: string
  readonly rows: readonly Row[]
  readonly checks: readonly Check[]
  /** What a reader must know to interpret the figures. */
  readonly notes?: readonly string[]
}

/** Whether a check's value is within its bounds. */
export const isMet = ({ value, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Check) =>
  value >= atLeast && value <= atMost

/** The row of an operation that was timed repeatedly. */
export const timesRow = (what: string, times: readonly number[], unit: 'ms' | 's' = 'ms'): Row => ({
  what,
  value: median(times),
  unit,
  spread: [Math.min(...times), Math.max(...times)],
})

/** The rows of the contestants that were loaded in turn. */
export const requestRows = (measured: readonly Measured[]): Row[] =>
  measured.map(({ name, requestsPerSecond, ...rest }) => ({
    what: name,
    value: requestsPerSecond,
    unit: 'requests/s',
    ...rest,
  }))

/** The ratio of the requests that one answered to those of the other. */
export function ratioOf(measured: readonly Measured[], ours: string, theirs: string, atLeast: number): Check {
  const value = named(measured, ours).requestsPerSecond / named(measured, theirs).requestsPerSecond
  return { what: `${ours} ÷ ${theirs}`, value, unit: '×', atLeast }
}

/** Checks the p99 of one of them, in milliseconds, against a limit. */
export const p99Of = (measured: readonly Measured[], name: string, atMost: number): Check => ({
  what: `p99 of ${name}`,
  value: named(measured, name).p99Milliseconds,
  unit: 'ms',
  atMost,
})

function named(measured: readonly Measured[], name: string): Measured {
  const found = measured.find((one) => one.name === name)
  if (!found) throw new Error(`${name} was not measured`)
  return found
}
