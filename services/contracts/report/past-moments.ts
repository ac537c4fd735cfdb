import { answerWithin } from '../../../shared/async/answer-within.ts'
import { gatheringRuns } from '../../../shared/async/gathered-runs.ts'
import { ONCE, sharingRuns } from '../../../shared/async/shared-runs.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { contractsView } from '../contract/view.ts'

/** How old this process's knowledge of others may be when it writes. */
const KNOWN_FOR_MILLISECONDS = 1_000
/** A report is given even if its moment can’t be stored within this time: no full disk stops reports. */
const STORING_MILLISECONDS = 2_000

/** The kind of `latestTimes`, and the id, of the latest moment answered about. */
export const REPORTS = 'reports'
export const ANSWERED = 'answered'

/** What counts as past for all processes: each moment answered about, and the time of each version in the log. */
export function createPastMoments({ view, latestTimes }: Pick<Database, 'view' | 'latestTimes'>) {
  const { ledger } = view(contractsView)
  const answers = latestTimes(REPORTS)
  let [past, stored] = [0, 0]

  const markPast = (moment: number): void => {
    past = Math.max(past, moment)
  }

  async function readLog(): Promise<void> {
    markPast(await ledger.latest())
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
    /** Counts a moment as past, and stores it for other processes if it is the latest. */
    async answered(moment: number): Promise<void> {
      markPast(moment)
      if (moment > stored) await storing.run().catch(() => undefined)
    },
  }
}
