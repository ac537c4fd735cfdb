/** Which period is closed, and why. */
export interface ClosingFields {
  /** `YYYY-MM-DD`: the books are closed up to and including this day; null: they are open. */
  readonly closedThrough: string | null
  readonly reason: string
}

/** The books were closed through another day, or reopened. */
export interface ClosingSet {
  readonly type: 'ClosingSet.v1'
  readonly data: ClosingFields
}

export type ClosingEvent = ClosingSet
