import { createRequire } from 'node:module'
import type { Socket } from 'node:net'

/** The part of the driver's Connection (lib/cmap/connection) that is mended. */
interface Connection {
  readonly socket: Socket
  readonly closed: boolean
  /** What it was closed for. */
  readonly error: Error | null
  cleanup(error: Error): void
  writeCommand(...parameters: unknown[]): Promise<void>
}

const MENDED = Symbol('mended')

/**
 * Mends two faults of the driver (mongodb 7.8.0; 7.9.0 has them too) in requests that wait for room in their socket
 * when the connection ends:
 *
 * - When the driver ends it (a member that answers no heartbeats), they wait for ever, as a socket that is destroyed
 *   without an error tells nobody who waits for `drain`. Here it is destroyed with the connection's error.
 * - When the socket fails, they throw Node's error (`write EPIPE`), which nothing takes for a lost connection: the
 *   driver does not try again. Here they throw the connection's MongoNetworkError.
 *
 * To be called before the first connection; calling it again changes nothing.
 */
export function mendConnections(): void {
  const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js')
  const prototype: Connection & { [MENDED]?: true } = Connection.prototype
  if (prototype[MENDED]) return
  prototype[MENDED] = true
  const { cleanup, writeCommand } = prototype
  prototype.cleanup = function (error) {
    if (!this.closed) this.socket.destroy(error)
    cleanup.call(this, error)
  }
  prototype.writeCommand = async function (...parameters) {
    try {
      await writeCommand.apply(this, parameters)
    } catch (error) {
      throw this.error ?? error
    }
  }
}
