import { once } from 'node:events'
import { connect, type PeerCertificate, type SecureContextOptions } from 'node:tls'

/** The certificate that a port on loopback serves to a new connection; `own`: the client's, for servers that ask. */
export async function servedCertificate(port: number, own: SecureContextOptions = {}): Promise<PeerCertificate> {
  const options = { ...own, port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false }
  const socket = connect({ ...options, ALPNProtocols: ['h2', 'http/1.1'] })
  try {
    await once(socket, 'secureConnect')
    return socket.getPeerCertificate()
  } finally {
    socket.destroy()
  }
}
