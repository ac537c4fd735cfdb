import { createWaker } from '../../shared/event-sourcing/waker.ts'
import type { Message } from './running.ts'

/** At most so often is told how far it has come, in milliseconds. */
const INTERVAL = 100

/**
 * Tells how far something has come that reports it by a callback, until it is done; answers its result. Whoever stops
 * reading does not end the work.
 */
export async function* whileWorking<Result>(
  work: (report: (done: number) => void) => Promise<Result>,
  tell: (done: number) => Message<never>,
): AsyncGenerator<Message<never>, Result> {
  let done = 0
  let ended = false
  const waker = createWaker()
  const working = work((reached) => {
    done = reached
  }).finally(() => {
    ended = true
    waker.wake()
  })
  // It is waited for below; until then a failure is nobody's.
  working.catch(() => undefined)
  for (let told = 0; !ended; ) {
    await waker.sleep(INTERVAL)
    if (done > told) yield tell(done)
    told = done
  }
  return await working
}
