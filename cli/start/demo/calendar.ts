const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

/** How busy each month is, from January on: everybody wants their taxes filed by the end of April. */
const SEASON = [1.7, 2.1, 2.8, 2.5, 0.9, 0.7, 0.6, 0.5, 0.8, 0.8, 0.8, 0.8] as const
/** How many months from January are tax season. */
const TAX_SEASON_MONTHS = 4
/** From this day of a month on, the books of the month before are closed. */
const CLOSING_DAY = 10

/** A day on which the firm works. */
export type WorkingDay = ReturnType<typeof workingDays>[number]

/** The weekdays in UTC that are over by `now`, of the last `days` days. */
export function workingDays(now: number, days: number) {
  const first = Math.floor(now / DAY_MILLISECONDS) - days
  return Array.from({ length: days }, (_, index) => new Date((first + index) * DAY_MILLISECONDS))
    .filter((day) => day.getUTCDay() % 6 !== 0)
    .map((day) => ({
      date: day.toISOString().slice(0, 10),
      start: day.getTime(),
      // Relative to other days.
      busyness: SEASON[day.getUTCMonth()] ?? 1,
      isTaxSeason: day.getUTCMonth() < TAX_SEASON_MONTHS,
      // The last closed day, which is the last day of a month.
      closedThrough: lastDayBefore(new Date(day.getTime() - (CLOSING_DAY - 1) * DAY_MILLISECONDS)),
    }))
}

/** The last day of the month before. */
function lastDayBefore(day: Date): string {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 0)).toISOString().slice(0, 10)
}
