import type { Invocation, Outcome } from './history.ts'

/** What is closed, and why. */
export interface Closing {
  /** `YYYY-MM-DD`, inclusive; null: nothing is closed. */
  readonly closedThrough: string | null
  /** Unique to this closing, unless the same values were set again. */
  readonly reason: string
}

/** The closing at a version; 0: nothing has ever been closed. */
export interface VersionedClosing extends Closing {
  readonly version: number
}

/** Through a gateway, a contracts process itself or the command line. */
export interface SetClosing extends Invocation {
  readonly type: 'set-closing'
  readonly outcome: Outcome
  readonly asked: Closing
  readonly ifMatch?: number
  readonly refusal?: 'precondition_failed'
  /** The version in its acknowledgement. */
  readonly version?: number
}

export interface GetClosing extends Invocation {
  readonly type: 'get-closing'
  readonly closing: VersionedClosing
}
