import { createRequire } from 'node:module'

/** The part of kafkajs's RequestQueue (src/network/requestQueue) that is patched. */
interface RequestQueue {
  readonly pending: readonly unknown[]
  /** Milliseconds since the epoch; -1 when the broker doesn't throttle. */
  readonly throttledUntil: number
  throttleCheckTimeoutId: NodeJS.Timeout | null
  checkPendingRequests(): void
}

/** Interval of checks while requests wait for those in flight, in milliseconds. */
const CHECK_INTERVAL = 10

/**
 * Patches kafkajs 2.2.4 (https://github.com/tulios/kafkajs/issues/1704): each check for waiting requests schedules the
 * next one even when none waits, at a time long past, so every connection checks a thousand times a second and Node
 * warns about a negative timeout. An idle consumer and producer took 410 ms of CPU time in 10 s, and take 48 ms if they
 * check only while a request waits. Call it before the first connection; calling it again changes nothing.
 */
export function patchRequestQueue(): void {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js')
  prototype.scheduleCheckPendingRequests = function scheduleCheckPendingRequests(this: RequestQueue): void {
    if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return
    const throttled = this.throttledUntil - Date.now()
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null
        this.checkPendingRequests()
      },
      throttled > 0 ? throttled : CHECK_INTERVAL,
    )
  }
}
