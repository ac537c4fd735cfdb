import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A port on loopback that nothing listens on. */
export const freePort = (): Promise<number> => listenOnce(0)

/** The first ephemeral port of most systems. */
const FIRST_EPHEMERAL = 32_768
const FIRST = 20_000

/** This many consecutive free ports, below the range from which the system assigns ports to others meanwhile. */
export async function freePorts(count: number): Promise<number[]> {
  for (;;) {
    const first = randomInt(FIRST, FIRST_EPHEMERAL - count)
    const ports = Array.from({ length: count }, (_, index) => first + index)
    const areFree = await Promise.all(ports.map(listenOnce)).then(
      () => true,
      () => false,
    )
    if (areFree) return ports
  }
}

async function listenOnce(asked: number): Promise<number> {
  const server = createServer().listen(asked, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
