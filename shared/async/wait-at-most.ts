import { setTimeout as delay } from 'node:timers/promises'

/** Waits until some work has ended, well or not, at the most so many milliseconds. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown> | undefined): Promise<void> {
  const ended = work?.catch(() => undefined)
  await Promise.race([ended, delay(milliseconds, undefined, { ref: false })])
}
