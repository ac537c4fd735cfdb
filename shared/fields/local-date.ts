/** The time zone of those who have set none. */
export const UTC = 'UTC'

/** The date in a time zone at a moment in milliseconds since the epoch, as `YYYY-MM-DD`. */
export function dateIn(timeZone: string, at: number): string {
  const instant = new Date(at)
  // Nearly always UTC, for which Intl takes ten times as long.
  if (timeZone === UTC) return instant.toISOString().slice(0, 10)
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const { year, month, day } = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  return `${year}-${month}-${day}`
}
