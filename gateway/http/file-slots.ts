import type { ServerResponse } from 'node:http'
import { ProblemError } from '../problem.ts'
import { RequestAborted } from './body.ts'

/** How many files are received and imported at once: each takes up to 80 MB of memory. */
const MAX_FILES = 2
/** How many more wait for their turn. Of their bodies, at most as much as a JSON body may have is in memory. */
const MAX_WAITING = 32

/**
 * Runs the import of a file when its turn comes. Before the file is read, throws unavailable if too many others wait or
 * its turn doesn't come in time, and RequestAborted if the caller disconnects.
 */
export type FileSlots = <Result>(res: ServerResponse, run: () => Promise<Result>) => Promise<Result>

/** Slots that all paths of a gateway share. `patience`: how long a file waits for its turn, in milliseconds. */
export function createFileSlots(patience: number): FileSlots {
  /** In the order of their arrival. */
  const waiting = new Set<() => void>()
  let running = 0

  async function turn(res: ServerResponse): Promise<void> {
    if (waiting.size >= MAX_WAITING) throw busy()
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>()
    const leave = (error: Error): void => {
      waiting.delete(begin)
      reject(error)
    }
    const onClose = (): void => leave(new RequestAborted('the caller disconnected'))
    const timer = setTimeout(() => leave(busy()), patience)
    res.once('close', onClose)
    waiting.add(begin)
    await promise.finally(() => {
      clearTimeout(timer)
      res.off('close', onClose)
    })
  }

  function passOn(): void {
    const [next] = waiting
    if (next === undefined) {
      running -= 1
      return
    }
    waiting.delete(next)
    next()
  }

  return async (res, run) => {
    // It may have been closed before anybody listened for that.
    if (res.closed) throw new RequestAborted('the caller disconnected')
    if (running < MAX_FILES) running += 1
    else await turn(res)
    try {
      return await run()
    } finally {
      passOn()
    }
  }
}

const busy = () => new ProblemError('unavailable', { detail: BUSY, isOverload: true })

const BUSY =
  'Too many other files are being imported at the moment, and nothing of this one was written. Send it again later.'
