import { ONCE, sharingRuns } from '../../shared/async/shared-runs.ts'

/** Something as this process last read it, so that writes need no extra read. Both throw what reading it throws. */
export interface Followed<Value> {
  /** It may be out of date: a decision based on it must make the append depend on its version. */
  current(): Promise<Value>
  /** Reads it again. */
  refresh(): Promise<Value>
}

/** Follows what `read` reads. */
export function following<Value>(read: () => Promise<Value>): Followed<Value> {
  const reading = sharingRuns(read, ONCE)
  return {
    current: () => reading.join(),
    refresh() {
      reading.forget()
      return reading.join()
    },
  }
}
