const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
const [SUNDAY, SATURDAY] = [0, 6]

/** How much is done in a month, from January on: everybody wants their taxes filed by the end of April. */
const SEASON = [1.7, 2.1, 2.8, 2.5, 0.9, 0.7, 0.6, 0.5, 0.8, 0.8, 0.8, 0.8] as const
/** Months (January is 0) in which taxes are what most of the work is. */
const LAST_MONTH_OF_TAXES = 3

/** A day on which the firm works. */
export interface WorkingDay {
  /** YYYY-MM-DD. */
  readonly date: string
  /** 00:00 UTC, in milliseconds since the epoch. */
  readonly start: number
  /** How much is done on it, beside other days. */
  readonly busyness: number
  readonly isTaxSeason: boolean
}

/** The weekdays in UTC that are over by `now`, of so many days before it. */
export function workingDays(now: number, days: number): readonly WorkingDay[] {
  const today = Math.floor(now / DAY_MILLISECONDS)
  return Array.from({ length: days }, (_, index) => toDay((today - days + index) * DAY_MILLISECONDS)).flatMap(
    (day) => day ?? [],
  )
}

function toDay(start: number): WorkingDay | undefined {
  const day = new Date(start)
  if (day.getUTCDay() === SUNDAY || day.getUTCDay() === SATURDAY) return undefined
  const month = day.getUTCMonth()
  return {
    date: day.toISOString().slice(0, 10),
    start,
    busyness: SEASON[month] ?? 1,
    isTaxSeason: month <= LAST_MONTH_OF_TAXES,
  }
}
