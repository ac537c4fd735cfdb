/** Through which day the books are closed; nulls: they were never closed. */
export interface Closing {
  readonly closedThrough: string | null
  readonly reason: string | null
  readonly at: string | null
  readonly by: string | null
  readonly byName: string | null
}

/** A closing that somebody set. */
export interface ClosingEvent extends Closing {
  readonly version: number
  readonly at: string
  readonly by: string
}

const never: Closing = { closedThrough: null, reason: null, at: null, by: null, byName: null }

/** The last one that was set at a moment or before. */
export function closingAsOf(closings: readonly ClosingEvent[], asOf: string): Closing {
  return closings.findLast(({ at }) => Date.parse(at) <= Date.parse(asOf)) ?? never
}
