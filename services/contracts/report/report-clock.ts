import { setTimeout as pause } from 'node:timers/promises'
import { coalescingRuns } from '../../../shared/async/coalesced-runs.ts'
import { ONCE, sharingRuns } from '../../../shared/async/shared-runs.ts'
import { withTimeout } from '../../../shared/async/with-timeout.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { CLOSING, closingView } from '../closing/view.ts'
import { contractsView } from '../contract/view.ts'
import { FIRM, firmView } from '../firm/view.ts'

/** The clock of all writes and reports of a process. It guarantees that a report, once given, never changes. */
export type ReportClock = ReturnType<typeof createReportClock>

/** A moment at most this far ahead of our clock is waited for; clocks of processes differ. */
const MAX_AHEAD_MILLISECONDS = 50

/**
 * Creates the clock from the machine's, in milliseconds since the epoch. Use one for all writes and reports of a process.
 *
 * Once a report as of a moment has been given, every new write gets a later time, and the report has waited for appends
 * in progress, whose times may be earlier. So each reported moment counts as past from then on, and so does the time of
 * each version in the log, which a report of now may have named. The latest reported moment is stored for other processes
 * and for the next start, whose clocks may be behind it.
 */
export function createReportClock(clock: () => number, database: Pick<Database, 'view' | 'latestTimes' | 'events'>) {
  const past = createPastMoments(database)
  let stamped = 0

  /** No earlier than any write or reported moment so far. */
  const latest = (): number => Math.max(clock(), stamped, past.latest())

  /** Waits until the clock has passed a moment slightly ahead of it. In a loop, since a timer may fire too early. */
  async function untilPassed(moment: number): Promise<void> {
    for (;;) {
      const ahead = moment - clock()
      if (ahead < 0 || ahead > MAX_AHEAD_MILLISECONDS) return
      await pause(ahead + 1)
    }
  }

  return {
    /** Await this before `stamp`, so that times continue after those of earlier processes. Throws StoreUnavailable. */
    begin: past.refresh,

    /** The time of a write: later than every reported moment, and no earlier than previous writes. */
    stamp(): number {
      stamped = Math.max(clock(), stamped, past.latest() + 1)
      return stamped
    },

    /** The moment of a report as of now: no earlier than any acknowledged write. Throws StoreUnavailable. */
    async now(): Promise<number> {
      await past.read()
      const moment = latest()
      await untilPassed(moment)
      await past.markReported(moment)
      return moment
    },

    /** Makes later writes later than a moment in the log. */
    markPast: past.markPast,

    /**
     * Whether a moment has passed, so that it can be reported: by this process's clock, or because a process whose clock
     * is ahead has written or reported since. Later writes get later times. Throws StoreUnavailable.
     */
    async hasPassed(moment: number): Promise<boolean> {
      await untilPassed(moment)
      if (moment > latest()) await past.read()
      if (moment > latest()) return false
      await past.markReported(moment)
      return true
    },
  }
}

/** How old the moments read from other processes may be when this one writes. */
const FRESH_MILLISECONDS = 1_000
/** A report is given even if its moment can't be stored within this time, so that a full disk doesn't stop reports. */
const STORE_TIMEOUT_MILLISECONDS = 2_000

/** The kind of `latestTimes`, and the id, under which the latest reported moment is stored. */
export const REPORTS = 'reports'
export const ANSWERED = 'answered'

/** What counts as past for all processes: each reported moment, and the time of each version in the log. */
function createPastMoments({ view, latestTimes, events }: Parameters<typeof createReportClock>[1]) {
  const { ledger } = view(contractsView)
  const [firm, closing] = [view(firmView), view(closingView)]
  const reports = latestTimes(REPORTS)
  let [past, stored] = [0, 0]

  const markPast = (moment: number): void => {
    past = Math.max(past, moment)
  }

  async function readLog(): Promise<void> {
    const [latest, ...rows] = await Promise.all([ledger.latest(), firm.get(FIRM.id), closing.get(CLOSING.id)])
    markPast(Math.max(latest, ...rows.map((row) => row?.at ?? 0)))
  }

  async function readReported(): Promise<void> {
    const reported = (await reports.read([ANSWERED])).get(ANSWERED) ?? 0
    stored = Math.max(stored, reported)
    markPast(reported)
  }

  const reading = coalescingRuns(async () => void (await Promise.all([readLog(), readReported()])))
  const firstRead = sharingRuns(reading.run, ONCE)
  const logRead = sharingRuns(readLog)
  /** Shared by all writes within a second, so that most wait for nothing. */
  const refreshing = sharingRuns(async (): Promise<void> => {
    await firstRead.join()
    // Not awaited, so that writes continue while the views are being rebuilt.
    logRead.join().catch(() => undefined)
    await readReported().catch(refreshing.forget)
  }, FRESH_MILLISECONDS)
  const storing = coalescingRuns(async () => {
    const moment = past
    await withTimeout(STORE_TIMEOUT_MILLISECONDS, reports.raise(new Map([[ANSWERED, moment]])))
    stored = Math.max(stored, moment)
  })

  return {
    /** The latest moment known to this process. */
    latest: () => past,
    markPast,
    /** Reads what other processes have written and reported. Throws StoreUnavailable. */
    read: (): Promise<void> => reading.run(),
    /** Like `read`, for a write; the result may be FRESH_MILLISECONDS old. Throws StoreUnavailable. */
    refresh: (): Promise<void> => refreshing.join(),
    /**
     * Marks a moment as past, stores it for other processes if it is the latest, and waits for this process's appends in
     * progress; appends that begin later have later times.
     */
    async markReported(moment: number): Promise<void> {
      markPast(moment)
      const appended = events.settled()
      if (moment > stored) await storing.run().catch(() => undefined)
      await appended
    },
  }
}
