import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface BreakableProxy {
  readonly port: number
  /** Cuts every connection off, without a farewell; new ones go through. */
  breakConnections(): void
  close(): Promise<void>
}

/** Passes connections on to a port of this machine. */
export async function breakableProxy(target: number): Promise<BreakableProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const breakConnections = (): void => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    breakConnections,
    async close() {
      const closed = once(server, 'close')
      server.close()
      breakConnections()
      await closed
    },
  }
}
