import { once } from 'node:events'
import { connect } from 'node:net'

/** What the log says of gRPC that is open beyond this machine. */
export const PLAIN_TEXT_WARNING = 'gRPC listens beyond this machine without TLS'

/**
 * Whether the port of an address is open on another address of this machine, too. 127.0.0.2 is as good as any: who
 * listens on 127.0.0.1 alone isn't there.
 */
export async function isOpenElsewhere(address: string): Promise<boolean> {
  const socket = connect({ host: '127.0.0.2', port: Number(address.split(':')[1]) })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
