import { type Client, connectivityState, type ServiceError } from '@grpc/grpc-js'
import type { GrpcRpcOptions } from './grpc-client.ts'

type ConnectingOptions = Pick<GrpcRpcOptions, 'address' | 'tls' | 'logger'>

/**
 * What resolves when a client has a connection, and rejects when there is none by a deadline. Where the two sides don't
 * agree on TLS, the log has one line with the setting to mend, until that changes.
 */
export function createConnecting(client: Client, { address, tls, logger }: ConnectingOptions) {
  let said: string | undefined

  async function explain(): Promise<void> {
    const remedy = remedyFor(await lastError(client), tls && (tls.current().ca ? 'mutual' : 'one-sided'))
    if (remedy !== undefined && remedy !== said) logger?.error(`no connection to ${address}: ${remedy}`)
    said = remedy
  }

  return async (deadline: number): Promise<void> => {
    if (client.getChannel().getConnectivityState(true) !== connectivityState.READY) {
      await new Promise<void>((resolve, reject) => {
        const end = (error?: Error): void => (error ? reject(error) : resolve())
        client.waitForReady(deadline, end)
      }).catch(async (error) => {
        await explain()
        throw error
      })
    }
    said = undefined
  }
}

/** grpc-js says why connections fail only to a call that does not wait for one. */
function lastError(client: Client): Promise<string> {
  const asIs = (bytes: Buffer): Buffer => bytes
  return new Promise((resolve) => {
    const answered = (error: ServiceError | null): void => resolve(error?.details ?? '')
    client.makeUnaryRequest(
      '/grpc.health.v1.Health/Check',
      asIs,
      asIs,
      Buffer.alloc(0),
      { deadline: Date.now() + 50 },
      answered,
    )
  })
}

/** What is to be mended, by what Node and OpenSSL say; undefined: nothing of TLS. */
function remedyFor(error: string, tls: 'mutual' | 'one-sided' | undefined): string | undefined {
  const unanswered = /Failed to connect|closed by the server|ECONNRESET|socket disconnected|EPIPE/.test(error)
  if (tls === undefined) {
    if (!unanswered) return undefined
    return 'it closes connections, as for want of TLS: set GRPC_TLS_CERT_FILE, GRPC_TLS_KEY_FILE, GRPC_TLS_CA_FILE'
  }
  const signers =
    tls === 'mutual' ? 'GRPC_TLS_CA_FILE' : 'a CA of this system: set GRPC_TLS_CA_FILE or NODE_EXTRA_CA_CERTS'
  if (/altnames/.test(error)) return `its certificate (GRPC_TLS_CERT_FILE there) is for other names: ${error}`
  if (/expired|not yet valid/.test(error)) return 'its certificate (GRPC_TLS_CERT_FILE there) is not valid now'
  if (/self-signed|unable to (verify|get)/.test(error)) return `its certificate is not signed by ${signers}`
  if (/wrong version number|packet length/.test(error)) return 'it does not speak TLS: set GRPC_TLS_CERT_FILE there'
  if (unanswered || /alert/.test(error)) {
    return 'it closes connections, as for a GRPC_TLS_CERT_FILE that no certificate in its GRPC_TLS_CA_FILE signed'
  }
  return undefined
}
