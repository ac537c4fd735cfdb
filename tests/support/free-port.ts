import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** The first ephemeral port of most systems. */
const FIRST_EPHEMERAL = 32_768
const FIRST = 20_000

/** What this process has been given, whether or not it listens yet. */
const given = new Set<number>()

/**
 * A port on loopback that nothing listens on. It is below the range from which the system assigns ports, so that no
 * connection takes it before what it is for has started.
 */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1)
  return port as number
}

/** This many consecutive free ports; see `freePort`. */
export async function freePorts(count: number): Promise<number[]> {
  for (;;) {
    const first = randomInt(FIRST, FIRST_EPHEMERAL - count)
    const ports = Array.from({ length: count }, (_, index) => first + index)
    if (ports.some((port) => given.has(port))) continue
    for (const port of ports) given.add(port)
    const areFree = await Promise.all(ports.map(listenOnce)).then(
      () => true,
      () => false,
    )
    if (areFree) return ports
  }
}

async function listenOnce(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
