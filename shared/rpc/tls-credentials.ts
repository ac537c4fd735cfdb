import { isIP } from 'node:net'
import { connect, type SecureContext } from 'node:tls'
import { CallCredentials, ChannelCredentials, experimental, ServerCredentials } from '@grpc/grpc-js'
import type { TlsMaterial } from '../runtime/tls/certificates.ts'
import type { WatchedCertificates } from '../runtime/tls/watch-certificates.ts'

/** How long the other side may take for its handshake, in milliseconds. */
const HANDSHAKE_MILLISECONDS = 10_000

/**
 * Credentials of a server whose certificate may be replaced while it runs. With a CA, clients must present a
 * certificate signed by it.
 */
export function serverCredentials(certificates: WatchedCertificates | undefined): ServerCredentials {
  if (certificates === undefined) return ServerCredentials.createInsecure()
  const replaceable = new ReplaceableServerCredentials(certificates.current())
  certificates.onChange((material) => replaceable.replace(material))
  return replaceable
}

class ReplaceableServerCredentials extends ServerCredentials {
  constructor(material: TlsMaterial) {
    const requestCert = material.ca !== undefined
    super(
      { requestCert, rejectUnauthorized: requestCert, handshakeTimeout: HANDSHAKE_MILLISECONDS },
      contextOf(material),
    )
  }
  replace(material: TlsMaterial): void {
    this.updateSecureContextOptions(contextOf(material))
  }
  _equals(other: ServerCredentials): boolean {
    return this === other
  }
}

const contextOf = ({ cert, key, ca }: TlsMaterial) => ({ cert, key, ...(ca && { ca }), minVersion: 'TLSv1.2' as const })

/**
 * Credentials of a client that uses the current certificates for each new connection: it presents its own, and checks
 * the server's against the CA, or without one against those that the system trusts.
 */
export function channelCredentials(certificates: WatchedCertificates | undefined): ChannelCredentials {
  if (certificates === undefined) return ChannelCredentials.createInsecure()
  return new ReplaceableChannelCredentials(() => certificates.current().context)
}

type Connector = ReturnType<ChannelCredentials['_createSecureConnector']>

/** grpc-js's own replaceable certificates use the server's IP address as its name, which Node warns about. */
class ReplaceableChannelCredentials extends ChannelCredentials {
  private readonly context: () => SecureContext

  constructor(context: () => SecureContext) {
    super()
    this.context = context
  }
  _isSecure(): boolean {
    return true
  }
  _equals(other: ChannelCredentials): boolean {
    return this === other
  }
  override _createSecureConnector(
    ...[target, , callCredentials]: Parameters<ChannelCredentials['_createSecureConnector']>
  ): Connector {
    const host = experimental.splitHostPort(target.path)?.host ?? target.path
    return {
      connect: (socket) =>
        new Promise((resolve, reject) => {
          const servername = isIP(host) === 0 ? host : ''
          const options = { socket, host, servername, secureContext: this.context(), ALPNProtocols: ['h2'] }
          const secured = connect(options, () => resolve({ socket: secured.setTimeout(0), secure: true }))
          secured.setTimeout(HANDSHAKE_MILLISECONDS, () => secured.destroy())
          secured.once('error', reject)
          secured.once('close', () => reject(new Error('closed by the server')))
        }),
      waitForReady: () => Promise.resolve(),
      getCallCredentials: () => callCredentials ?? CallCredentials.createEmpty(),
      destroy: () => {},
    }
  }
}
