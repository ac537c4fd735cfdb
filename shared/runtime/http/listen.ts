import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens and returns the port, which the system chooses when 0 is given. Rejects with the system's error. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  await once(server.listen(port, host), 'listening')
  return (server.address() as AddressInfo).port
}
