import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collector: (() => void) | undefined

/**
 * Collects all garbage of this thread, which takes about 20 ms. Only for memory that V8 leaves too long, since it is
 * outside its heap. Node offers it behind a flag, which can be set while a process runs.
 */
export function collectGarbage(): void {
  if (collector === undefined) {
    setFlagsFromString('--expose-gc')
    collector = runInNewContext('gc') as () => void
  }
  collector()
}
