import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { createPastMoments } from './past-moments.ts'

/** The clock of all writes and reports of a process: no report changes once it was given. */
export type ReportClock = ReturnType<typeof createReportClock>

/** A clock this much ahead of ours is waited for. */
const MAX_AHEAD_MILLISECONDS = 50

/**
 * Creates it from the machine's clock, in milliseconds since the epoch. Use one for all writes and reports of a process.
 *
 * What is written after an answer about a moment gets a later time. So every moment answered about counts as past from
 * then on, and so does the time of each version in the log, which a report of now may have named. The latest moment
 * answered about is stored, for other processes and the next start, whose clocks may be behind it.
 */
export function createReportClock(clock: () => number, database: Pick<Database, 'view' | 'latestTimes'>) {
  const past = createPastMoments(database)
  let stamped = 0

  /** No earlier than any write or answer so far. */
  const latest = (): number => Math.max(clock(), stamped, past.latest())

  /** Waits until the clock has passed a moment that is hardly ahead of it. A timer may fire before it has moved on. */
  async function untilPassed(moment: number): Promise<void> {
    for (;;) {
      const ahead = moment - clock()
      if (ahead < 0 || ahead > MAX_AHEAD_MILLISECONDS) return
      await pause(ahead + 1)
    }
  }

  return {
    /** Await it before `stamp`: times begin after those of earlier processes. Throws StoreUnavailable. */
    begin: past.follow,

    /** The time of a write: later than every moment answered about, and no earlier than the writes before. */
    stamp(): number {
      stamped = Math.max(clock(), stamped, past.latest() + 1)
      return stamped
    },

    /** The moment of a report of now: no earlier than any write that was acknowledged. Throws StoreUnavailable. */
    async now(): Promise<number> {
      await past.read()
      const moment = latest()
      await untilPassed(moment)
      await past.answered(moment)
      return moment
    },

    /**
     * Whether a moment has passed, so that it can be answered about: by the clock of this process, or because a process
     * whose clock is ahead has written or answered since. Writes from here on are later. Throws StoreUnavailable.
     */
    async hasPassed(moment: number): Promise<boolean> {
      await untilPassed(moment)
      if (moment > latest()) await past.read()
      if (moment > latest()) return false
      await past.answered(moment)
      return true
    },
  }
}
