import { setTimeout as pause } from 'node:timers/promises'
import { answerWithin } from '../../../shared/async/answer-within.ts'
import { gatheringRuns } from '../../../shared/async/gathered-runs.ts'
import { ONCE, sharingRuns } from '../../../shared/async/shared-runs.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { contractsView } from '../contract/view.ts'
import { FIRM, firmView } from '../firm/view.ts'

/** The clock of all writes and reports of a process: no report changes once it was given. */
export type ReportClock = ReturnType<typeof createReportClock>

/** A clock this much ahead of ours is waited for. */
const MAX_AHEAD_MILLISECONDS = 50

/**
 * Creates it from the machine's clock, in milliseconds since the epoch. Use one for all writes and reports of a process.
 *
 * What is written after an answer about a moment gets a later time, and what has an earlier time is waited for while it
 * is being appended. So every moment answered about counts as past from then on, and so does the time of each version
 * in the log, which a report of now may have named. The latest moment answered about is stored, for other processes and
 * the next start, whose clocks may be behind it.
 */
export function createReportClock(clock: () => number, database: Pick<Database, 'view' | 'latestTimes' | 'events'>) {
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

/** How old this process's knowledge of others may be when it writes. */
const KNOWN_FOR_MILLISECONDS = 1_000
/** A report is given even if its moment can’t be stored within this time: no full disk stops reports. */
const STORING_MILLISECONDS = 2_000

/** The kind of `latestTimes`, and the id, of the latest moment answered about. */
export const REPORTS = 'reports'
export const ANSWERED = 'answered'

/** What counts as past for all processes: each moment answered about, and the time of each version in the log. */
function createPastMoments({ view, latestTimes, events }: Parameters<typeof createReportClock>[1]) {
  const { ledger } = view(contractsView)
  const firm = view(firmView)
  const answers = latestTimes(REPORTS)
  let [past, stored] = [0, 0]

  const markPast = (moment: number): void => {
    past = Math.max(past, moment)
  }

  async function readLog(): Promise<void> {
    const [latest, edited] = await Promise.all([ledger.latest(), firm.get(FIRM.id)])
    markPast(Math.max(latest, edited?.at ?? 0))
  }

  async function readAnswers(): Promise<void> {
    const answered = (await answers.read([ANSWERED])).get(ANSWERED) ?? 0
    stored = Math.max(stored, answered)
    markPast(answered)
  }

  const reading = gatheringRuns(async () => void (await Promise.all([readLog(), readAnswers()])))
  const begun = sharingRuns(reading.run, ONCE)
  const logFollowed = sharingRuns(readLog)
  /** One run for all writes of a second, which then have nothing to wait for. */
  const following = sharingRuns(
    async (): Promise<void> => {
      await begun.join()
      // Not awaited: writes go on while the views are being rebuilt.
      logFollowed.join().catch(() => undefined)
      await readAnswers().catch(following.forget)
    },
    { freshMilliseconds: KNOWN_FOR_MILLISECONDS },
  )
  const storing = gatheringRuns(async () => {
    const moment = past
    await answerWithin(STORING_MILLISECONDS, answers.raise(new Map([[ANSWERED, moment]])))
    stored = Math.max(stored, moment)
  })

  return {
    /** The latest that is known. */
    latest: () => past,
    /** Reads what is known to others, too. Throws StoreUnavailable. */
    read: (): Promise<void> => reading.run(),
    /** The same for a write, at most KNOWN_FOR_MILLISECONDS old. Throws StoreUnavailable. */
    follow: (): Promise<void> => following.join(),
    /**
     * Counts a moment as past, stores it for other processes if it is the latest, and waits for what this process is
     * appending: later appends have later times.
     */
    async answered(moment: number): Promise<void> {
      markPast(moment)
      const appended = events.settled()
      if (moment > stored) await storing.run().catch(() => undefined)
      await appended
    },
  }
}
