import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Node's `http`. Importing it as an ES module would read all of its properties, which loads Node's WebSocket code and
 * makes starts a fifth slower.
 */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')

/**
 * How many connections may wait to be accepted; the system may allow fewer. Node's default of 511 overflows when many
 * clients connect at once; the rest retry only after 1, 3 and 7 seconds.
 */
const BACKLOG = 4_096

/** Listens and returns the port, which the system chooses when 0 is given. Rejects with the system's error. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  await once(server.listen(port, host, BACKLOG), 'listening')
  return (server.address() as AddressInfo).port
}
