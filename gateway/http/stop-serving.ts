import { setTimeout as pause } from 'node:timers/promises'
import type { Listening } from '../../shared/runtime/listen.ts'
import { type Connection, type Connections, isIdle } from './connections.ts'

const SWEEP_MILLISECONDS = 20

export interface StopOptions {
  /** How long new connections and requests are still served, so that load balancers notice. */
  readonly drainMilliseconds: number
  /** How long requests in progress may take after that. */
  readonly graceMilliseconds: number
}

/**
 * Stops a server whose answers already say `Connection: close`. It keeps serving for `drainMilliseconds`, then closes
 * each connection once its answer is out; what is left after `graceMilliseconds` is cut.
 */
export async function stopServing(
  listening: Listening | undefined,
  connections: Connections,
  options: StopOptions,
): Promise<void> {
  if (options.drainMilliseconds > 0) await pause(options.drainMilliseconds)
  const closed = listening?.close()
  const sweep = setInterval(idleCloser(connections), SWEEP_MILLISECONDS)
  const force = setTimeout(() => closeAll(connections), options.graceMilliseconds)
  await closed
  clearInterval(sweep)
  clearTimeout(force)
}

/** Closes connections that are idle and have sent nothing since the last call: a request may just be arriving. */
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
