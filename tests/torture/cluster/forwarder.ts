import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'

interface Endpoint {
  readonly host: string
  readonly port: number
}

/** Passes connections on, so that a broker which names itself by a loopback address is reached from other hosts. */
export async function forward(from: Endpoint, to: Endpoint): Promise<Server> {
  const server = createServer((near) => {
    const far = connect(to.port, to.host)
    near.pipe(far).pipe(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  }).listen(from.port, from.host)
  await once(server, 'listening')
  return server
}

/** Parses `host:port`. */
export function endpoint(text: string): Endpoint {
  const [host = '', port = ''] = text.split(':')
  return { host, port: Number(port) }
}
