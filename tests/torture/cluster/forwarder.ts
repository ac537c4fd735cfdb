import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Host } from '../../support/hosts.ts'

interface Endpoint {
  readonly host: string
  readonly port: number
}

/** Forwards connections, so that a broker that advertises a loopback address can be reached from other hosts. */
export async function forward(from: Endpoint, to: Endpoint) {
  const open = new Set<Socket>()
  let cutOff = new Set<string | undefined>()
  const server = createServer((near) => {
    if (cutOff.has(near.remoteAddress)) return void near.destroy()
    const far = connect(to.port, to.host)
    open.add(near)
    near.pipe(far).pipe(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
    near.on('close', () => open.delete(near))
  }).listen(from.port, from.host)
  await once(server, 'listening')
  return {
    /** Breaks these hosts' connections and accepts no new ones until the returned function is called. */
    cut(hosts: readonly Host[]) {
      cutOff = new Set(hosts.map(({ address }) => address))
      for (const socket of open) if (cutOff.has(socket.remoteAddress)) socket.destroy()
      return () => cutOff.clear()
    },
    /** Lets the process exit. */
    unref: () => void server.unref(),
    close: () => void server.close(),
  }
}

/** Parses `host:port`. */
export function endpoint(text: string): Endpoint {
  const [host = '', port = ''] = text.split(':')
  return { host, port: Number(port) }
}
