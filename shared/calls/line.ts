import { CALLER_LEFT } from './errors.ts'

/** A stream that closes when its caller leaves. */
export interface Closable {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
  off(event: 'close', listener: () => void): unknown
}

interface Waiting {
  /** undefined: nobody waits for it any more. */
  start: (() => void) | undefined
}

/** Work that waits for its turn, in order. */
export type Line = ReturnType<typeof createLine>

/**
 * Creates an empty line. Whoever leaves it costs a few bytes until their turn comes. An array, since a Map or Set that
 * changes with each request leaves tables behind that keep answered requests in memory until the next full collection.
 */
export function createLine() {
  const waiting: Waiting[] = []
  return {
    isEmpty: () => waiting.length === 0,
    /** Settles as the work does once it has been started; rejects with CALLER_LEFT if `leaving` closes before. */
    add<Result>(work: () => Result | Promise<Result>, leaving?: Closable): Promise<Result> {
      if (leaving?.closed) return Promise.reject(CALLER_LEFT)
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      const own: Waiting = {
        start() {
          leaving?.off('close', leave)
          try {
            resolve(work())
          } catch (error) {
            reject(error)
          }
        },
      }
      const leave = (): void => {
        own.start = undefined
        reject(CALLER_LEFT)
      }
      leaving?.once('close', leave)
      waiting.push(own)
      return promise
    },
    /** Takes the next work out of the line: call it to start it. */
    next(): (() => void) | undefined {
      for (let next = waiting.shift(); next; next = waiting.shift()) if (next.start) return next.start
      return undefined
    },
  }
}
