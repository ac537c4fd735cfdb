import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
export const collectGarbage: () => void = runInNewContext('gc')

/** What is alive in this thread's heap. */
export function heapMegabytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1024 / 1024
}
