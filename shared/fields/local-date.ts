/** The time zone of a firm that has set none. */
export const UTC = 'UTC'

/**
 * Returns a function that gives the date, as `YYYY-MM-DD`, in a time zone at a moment in milliseconds since the epoch.
 * Create it once for many moments: that takes 50 µs, and each date 1 µs.
 */
export function datesIn(timeZone: string): (at: number) => string {
  if (timeZone === UTC) return (at) => new Date(at).toISOString().slice(0, 10)
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (at) => {
    const { year, month, day } = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
    return `${year}-${month}-${day}`
  }
}
