import type { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'

/** The part of the driver's Connection (lib/cmap/connection) that is patched. */
interface Connection extends EventEmitter {
  /** Why it was closed. */
  readonly error: Error | null
  writeCommand(...parameters: unknown[]): Promise<void>
}

const PATCHED = Symbol('patched')

/**
 * Patches two bugs of the driver (mongodb 7.8.0; 7.9.0 has them too) in requests that are blocked on backpressure of
 * their socket when the connection ends:
 *
 * - When the driver ends it (a member that answers no heartbeats), or the member closes it, they hang forever: a socket
 *   that closes without an error never emits `drain`. Here they wait for `close` as well.
 * - When the socket fails, they throw Node's error (`write EPIPE`), which the driver doesn't recognise as a lost
 *   connection, so it doesn't retry. Here they throw the connection's MongoNetworkError.
 *
 * Not reported yet. tests/adapters/mongo/broken-connections.test.ts reproduces both, behind a proxy that stops reading
 * until the driver blocks and then ends the connection. Call it before the first connection; calling it again changes
 * nothing.
 */
export function patchConnections(): void {
  const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js')
  const prototype: Connection & { [PATCHED]?: true } = Connection.prototype
  if (prototype[PATCHED]) return
  prototype[PATCHED] = true
  const { writeCommand } = prototype
  prototype.writeCommand = async function (...parameters) {
    const { promise: lost, reject } = Promise.withResolvers<never>()
    this.once('close', reject)
    try {
      await Promise.race([writeCommand.apply(this, parameters), lost])
    } catch (error) {
      throw this.error ?? error
    } finally {
      this.off('close', reject)
    }
  }
}
