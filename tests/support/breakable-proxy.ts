import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Forwards connections from a port of this machine, by default any free one, to an address (`host:port`). */
export async function breakableProxy(address: string, port = 0) {
  const { hostname, port: target } = new URL(`tcp://${address}`)
  /** The peer of each socket. */
  const peers = new Map<Socket, Socket>()
  const callers = new Set<Socket>()
  let isHeld = false
  const server = createServer((near) => {
    const far = connect(Number(target), hostname)
    callers.add(near)
    near.on('close', () => callers.delete(near))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      peers.set(from, to)
      from.on('error', () => {})
      from.on('close', () => {
        peers.delete(from)
        to.destroy()
      })
      if (!isHeld) from.pipe(to)
    }
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const breakConnections = (): void => {
    for (const socket of peers.keys()) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    /** Resets every connection without shutting it down; new ones go through. */
    breakConnections,
    /** Sends every caller a FIN, and still forwards what callers send. */
    sayFarewell() {
      for (const near of callers) near.end()
    },
    /** Forwards and accepts nothing, like a host that has dropped off the network, until `release`. */
    hold() {
      isHeld = true
      for (const [from, to] of peers) from.unpipe(to)
    },
    /** Whether anyone has sent more than is accepted while it is held. */
    isPressed: () => isHeld && [...peers.keys()].some((from) => from.readableLength >= from.readableHighWaterMark),
    release() {
      isHeld = false
      for (const [from, to] of peers) from.pipe(to)
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      breakConnections()
      await closed
    },
  }
}

export type BreakableProxy = Awaited<ReturnType<typeof breakableProxy>>
