import type { Socket } from 'node:net'

/** Connections of which a limited number stay open: a newcomer displaces the oldest. */
export function createBoundedConnections(most: number) {
  const sockets = new Set<Socket>()
  return {
    add(socket: Socket): void {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      const [oldest] = sockets
      if (sockets.size <= most || oldest === undefined) return
      sockets.delete(oldest)
      oldest.destroy()
    },
    destroyAll(): void {
      for (const socket of sockets) socket.destroy()
    },
  }
}
