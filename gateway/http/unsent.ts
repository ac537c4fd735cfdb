import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How many bytes of answers may wait to be received, on all connections together. */
const MAX_UNSENT_BYTES = 64 * 2 ** 20

/** Watches answers that callers are slow to receive. */
export type UnsentAnswers = ReturnType<typeof createUnsentAnswers>

/** Closes connections whose callers receive nothing for that long, and the oldest ones when too many bytes wait. */
export function createUnsentAnswers(stalledMilliseconds: number) {
  const waiting = new Set<Socket>()

  function cutOldest(): void {
    let bytes = 0
    for (const { writableLength } of waiting) bytes += writableLength
    for (const socket of waiting) {
      if (bytes <= MAX_UNSENT_BYTES) return
      bytes -= socket.writableLength
      waiting.delete(socket)
      socket.destroy()
    }
  }

  return {
    /** Call it once an answer is ended. Nearly always the system has taken all of it, and there is nothing to do. */
    watch(res: ServerResponse): void {
      const { socket } = res
      if (socket === null || socket.writableLength === 0) return
      waiting.add(socket)
      res.once('close', () => waiting.delete(socket))
      // Each byte that is received restarts it; Node closes the connection when it expires.
      socket.setTimeout(stalledMilliseconds)
      cutOldest()
    },
    /** Call it before writing an answer in chunks: it may take as long as its caller keeps receiving. */
    watchChunks(res: ServerResponse): void {
      res.setTimeout(stalledMilliseconds, () => {
        if (res.writableLength > 0) res.destroy()
        // The next chunk isn't ready yet, which isn't the caller's fault.
        else res.setTimeout(stalledMilliseconds)
      })
    },
  }
}
