import { once } from 'node:events'
import { connect } from 'node:net'

/** What the log says if gRPC can be reached from other machines. */
export const PLAIN_TEXT_WARNING = 'gRPC listens beyond this machine without TLS'

/**
 * Whether an address's port is also open on another address of this machine. 127.0.0.2 is as good as any: a server
 * that listens only on 127.0.0.1 can't be reached there.
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
