import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens, and answers the port (another one than asked for when that was 0). Rejects with the system's error. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

const SWEEP_MILLISECONDS = 20

/**
 * Takes no more connections, lets every request under way be answered, and ends connections as they become idle; what
 * is left after `graceMilliseconds` is cut off.
 */
export function closeGracefully(server: Server, graceMilliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection that a caller keeps alive becomes idle only after its last answer.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MILLISECONDS)
    const force = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(force)
      resolve()
    })
  })
}
