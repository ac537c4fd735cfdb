import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { WatchedCertificates } from '../../shared/runtime/tls/watch-certificates.ts'

/**
 * Puts TLS under a server that already has all its listeners. They see each connection from its first byte, so that the
 * limits on connections and on the time for headers cover handshakes too. New connections use the current certificate;
 * open ones stay.
 */
export function speakTls(server: Server, certificates: WatchedCertificates): void {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const { context: secureContext } = certificates.current()
    const secured = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] })
    for (const listener of listeners) listener.call(server, secured)
  })
}
