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
