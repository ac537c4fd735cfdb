import { once } from 'node:events'
import { connect, type PeerCertificate, type SecureContextOptions } from 'node:tls'

/** The certificate that a new connection to a port of loopback is served; `own` is shown to servers that ask for one. */
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
