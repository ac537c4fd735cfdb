/** The time of a process whose reports never change, even if the machine's clock is set back meanwhile. */
export type ReportClock = ReturnType<typeof createReportClock>

/** Creates it from the machine's clock, in milliseconds since the epoch. Use one for all writes and reports of a process. */
export function createReportClock(clock: () => number) {
  let [stamped, answered] = [0, 0]
  return {
    /** The time of a write: later than every moment answered about, and no earlier than the writes before. */
    stamp(): number {
      stamped = Math.max(clock(), stamped, answered + 1)
      return stamped
    },
    /** No earlier than any write or answer so far. */
    now: (): number => Math.max(clock(), stamped, answered),
    /** How far a moment is ahead of the machine's clock, in milliseconds. */
    aheadBy: (moment: number): number => moment - clock(),
    /** Writes from here on are later than this moment. */
    markAnswered(moment: number): void {
      answered = Math.max(answered, moment)
    },
  }
}
