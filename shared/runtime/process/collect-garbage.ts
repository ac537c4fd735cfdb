import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** In milliseconds: whoever makes this process collect takes little of its time, however fast they are. */
const LEAST_INTERVAL = 250

let collector: (() => void) | undefined
let collectedAt = Number.NEGATIVE_INFINITY

/**
 * Collects all garbage of this thread, unless that was done a moment ago; it takes about 20 ms. Only for memory
 * that V8 leaves too long, since it is outside its heap. Node offers it behind a flag, which can be set while a process
 * runs.
 */
export function collectGarbage(): void {
  if (performance.now() - collectedAt < LEAST_INTERVAL) return
  if (collector === undefined) {
    setFlagsFromString('--expose-gc')
    collector = runInNewContext('gc') as () => void
  }
  collector()
  collectedAt = performance.now()
}
