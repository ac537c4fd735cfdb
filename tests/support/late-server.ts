import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './free-port.ts'

/** An address where nothing listens until it is opened; it then forwards to a running server. */
export interface LateServer {
  readonly address: string
  open(): Promise<void>
  close(): Promise<void>
}

/** `target`: `host:port` of the server. */
export async function lateServer(target: string): Promise<LateServer> {
  const port = await freePort()
  const [host, targetPort] = target.split(':')
  const sockets = new Set<Socket>()
  const server = createServer((incoming) => {
    const outgoing = connect(Number(targetPort), host)
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
    incoming.pipe(outgoing).pipe(incoming)
  })
  return {
    address: `127.0.0.1:${port}`,
    async open() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}
