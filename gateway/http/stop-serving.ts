import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Connection, type Connections, isIdle } from './connections.ts'

const SWEEP_MILLISECONDS = 20

export interface StopOptions {
  /** How long new connections and requests are still served, so that whoever spreads requests notices. */
  readonly drainMilliseconds: number
  /** How long requests under way may take after that. */
  readonly graceMilliseconds: number
}

/**
 * Ends a server whose answers say `Connection: close` already: it goes on for `drainMilliseconds`, then closes each
 * connection once its answer is out; what is left after `graceMilliseconds` is cut off.
 */
export async function stopServing(server: Server, connections: Connections, options: StopOptions): Promise<void> {
  if (options.drainMilliseconds > 0) await pause(options.drainMilliseconds)
  const closed = new Promise<void>((resolve) => {
    // Node's own `close` of an HTTP server also cuts answers that are ended but not sent to their last byte.
    NetServer.prototype.close.call(server, () => resolve())
  })
  const sweep = setInterval(idleCloser(connections), SWEEP_MILLISECONDS)
  const force = setTimeout(() => closeAll(connections), options.graceMilliseconds)
  await closed
  clearInterval(sweep)
  clearTimeout(force)
  // What is left of it is Node's clock for slow requests.
  server.close()
}

/** Closes what is idle and has sent nothing since the call before: the beginning of a request may just have come. */
function idleCloser(connections: Connections): () => void {
  const bytesReadBefore = new WeakMap<Connection, number>()
  return () => {
    for (const connection of connections.all()) {
      const { socket } = connection
      if (!isIdle(connection) || socket.writableEnded || socket.destroyed) continue
      if (bytesReadBefore.get(connection) === socket.bytesRead) socket.destroySoon()
      else bytesReadBefore.set(connection, socket.bytesRead)
    }
  }
}

function closeAll(connections: Connections): void {
  for (const { socket } of connections.all()) socket.destroy()
}
