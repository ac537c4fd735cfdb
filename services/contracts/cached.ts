import { ONCE, sharingRuns } from '../../shared/async/shared-runs.ts'

/** A value that this process has read once, so that writes need no extra read. Both methods throw what reading throws. */
export interface Cached<Value> {
  /** May be out of date: the append of a decision based on it must depend on its version. */
  current(): Promise<Value>
  /** Reads it again. */
  refresh(): Promise<Value>
}

/** Reads a value when it is first needed, and caches it. */
export function cached<Value>(read: () => Promise<Value>): Cached<Value> {
  const reading = sharingRuns(read, ONCE)
  return {
    current: () => reading.join(),
    refresh() {
      reading.forget()
      return reading.join()
    },
  }
}
