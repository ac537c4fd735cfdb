import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How many bytes of answers may wait for their callers to take them, of all connections together. */
const MAX_UNSENT_BYTES = 64 * 2 ** 20

/** Looks after answers that their callers are slow to take. */
export type UnsentAnswers = ReturnType<typeof createUnsentAnswers>

/** Closes connections whose callers take nothing of their answer for so long; the oldest ones when too much waits. */
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
    /** To be called once an answer is ended: does nothing where the system has taken all of it, as nearly always. */
    watch(res: ServerResponse): void {
      const { socket } = res
      if (socket === null || socket.writableLength === 0) return
      waiting.add(socket)
      res.once('close', () => waiting.delete(socket))
      // Each byte that is taken begins it anew; Node closes a connection whose time is up.
      socket.setTimeout(stalledMilliseconds)
      cutOldest()
    },
    /** To be called before an answer is written in chunks: it lasts as long as its caller goes on taking it. */
    watchChunks(res: ServerResponse): void {
      res.setTimeout(stalledMilliseconds, () => {
        if (res.writableLength > 0) res.destroy()
        // The next part is not there yet: that is not the caller's fault.
        else res.setTimeout(stalledMilliseconds)
      })
    },
  }
}
