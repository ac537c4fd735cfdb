import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Node's `http`. Importing it as an ES module would read each of its properties, which loads Node's WebSocket code and
 * makes starts take a fifth longer.
 */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')

/**
 * How many connections may wait to be accepted; the system may allow fewer. With Node's 511 a caller whom many others come
 * with isn't noticed, and tries again after one second, three, seven.
 */
const BACKLOG = 4_096

/** Listens and returns the port, which the system chooses when 0 is given. Rejects with the system's error. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  await once(server.listen(port, host, BACKLOG), 'listening')
  return (server.address() as AddressInfo).port
}
