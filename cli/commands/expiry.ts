const HOUR = 60 * 60 * 1000
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR }

/** Converts `90d` (days; also `h` and `w`) to that long from now, in RFC 3339; returns other texts unchanged. */
export function toExpiry(text: string, now: number): string {
  const [, count, unit = ''] = /^(\d{1,6})([hdw])$/.exec(text) ?? []
  const milliseconds = UNITS[unit]
  return milliseconds === undefined ? text : new Date(now + Number(count) * milliseconds).toISOString()
}
