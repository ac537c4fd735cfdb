import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** In milliseconds: bounds the time that callers can make this process spend on it. */
const MIN_INTERVAL = 250

let collector: (() => void) | undefined
let collectedAt = Number.NEGATIVE_INFINITY

/**
 * Collects all garbage of this thread, unless that was just done; it takes about 20 ms. Only for memory outside V8's
 * heap, which V8 frees too late by itself. Node offers this behind a flag, which can be set while a process runs.
 */
export function collectGarbage(): void {
  if (performance.now() - collectedAt < MIN_INTERVAL) return
  if (collector === undefined) {
    setFlagsFromString('--expose-gc')
    collector = runInNewContext('gc') as () => void
  }
  collector()
  collectedAt = performance.now()
}
