const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The pauses after the first failures of an event; every later one is as long as the last. */
const PAUSES = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR]
const LAST_PAUSE = 10 * HOUR

/** Pauses vary by this much, so that what failed together is not tried again together. */
const JITTER = 0.1

/** How long all deliveries may fail before the webhook is paused. */
export const MAX_FAILING_MILLISECONDS = 5 * DAY

interface Failed {
  /** Which attempt it was, from 1. */
  readonly attempt: number
  /** The pause that the receiver requested, in milliseconds. */
  readonly retryAfter?: number | undefined
  /** From 0 to 1. */
  readonly random: number
}

/** How long to wait before the next attempt, in milliseconds. A receiver can only make the pause longer, up to a day. */
export function pauseAfter({ attempt, retryAfter = 0, random }: Failed): number {
  const pause = (PAUSES[attempt - 1] ?? LAST_PAUSE) * (1 - JITTER + 2 * JITTER * random)
  return Math.round(Math.max(pause, Math.min(retryAfter, DAY)))
}
