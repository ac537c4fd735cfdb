import { dayAfter } from '../format/calendar.ts'

/** Through which day the books are closed; nulls: they were never closed. */
export interface Closing {
  readonly closedThrough: string | null
  readonly reason: string | null
  readonly at: string | null
  readonly by: string | null
  readonly byName: string | null
}

/** A closing that somebody set. */
export interface ClosingEvent extends Closing {
  readonly version: number
  readonly at: string
  readonly by: string
}

/** Days that have been closed without a break since the same moment. */
export interface ClosedSpan {
  /** Its first day; undefined: it has no beginning. */
  readonly from: string | undefined
  readonly through: string
  readonly since: string
}

/**
 * What is closed after all closings (oldest first), and since when: earlier days first. A later closing leaves alone
 * what stays closed, so neither it nor its reopening hides what has changed in there.
 */
export function closedSpans(closings: readonly Pick<ClosingEvent, 'closedThrough' | 'at'>[]): readonly ClosedSpan[] {
  let spans: readonly ClosedSpan[] = []
  for (const { closedThrough, at } of closings) {
    spans = closedThrough === null ? [] : closeThrough(closedThrough, at, spans)
  }
  return spans
}

function closeThrough(day: string, since: string, before: readonly ClosedSpan[]): readonly ClosedSpan[] {
  const kept = before
    .filter(({ from = '' }) => from <= day)
    .map((span) => ({ ...span, through: span.through < day ? span.through : day }))
  const last = kept.at(-1)?.through
  if (last === day) return kept
  return [...kept, { from: last && dayAfter(last), through: day, since }]
}

/** The last day that the API accepts: with it, everything is closed. */
export const LAST_DAY = '9999-12-31'

/** Today, or the first day after a closing that includes today. */
export function firstOpenDay(closedThrough: string | null, today: string): string {
  const isOpen = closedThrough === null || closedThrough < today || closedThrough === LAST_DAY
  return isOpen ? today : dayAfter(closedThrough)
}

const never: Closing = { closedThrough: null, reason: null, at: null, by: null, byName: null }

/** The last closing that was set at a moment or before. */
export function closingAsOf(closings: readonly ClosingEvent[], asOf: string): Closing {
  return closings.findLast(({ at }) => Date.parse(at) <= Date.parse(asOf)) ?? never
}
