import { type Client, connectivityState, Metadata, type ServiceError } from '@grpc/grpc-js'
import type { Logger } from '../../runtime/log/logger.ts'
import type { WatchedCertificates } from '../../runtime/tls/watch-certificates.ts'

export interface ConnectingOptions {
  /** Address of the servers, for example `127.0.0.1:50051` or `dns:///contracts:50051`. */
  readonly address: string
  /** undefined: without encryption. */
  readonly tls?: WatchedCertificates | undefined
  /** Gets a line when there is no connection. */
  readonly logger?: Logger
}

/**
 * Returns a function that resolves when the client is connected and rejects when it isn't by a deadline. It then
 * logs one line with the reason and, when the two sides disagree on TLS, the setting to fix, and another line only when
 * the reason changes.
 */
export function createConnecting(client: Client, { address, tls, logger }: ConnectingOptions) {
  let logged: string | undefined

  async function explain(): Promise<void> {
    const reason = reasonOf(await lastError(client), tls && (tls.current().ca ? 'mutual' : 'one-sided'))
    if (reason !== undefined && reason !== logged) logger?.warn(`no connection to ${address}: ${reason}`)
    logged = reason
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
    logged = undefined
  }
}

/** grpc-js reports why connections fail only to calls that don't wait for one. */
async function lastError(client: Client): Promise<string> {
  const answer = queryHealth(client, new Metadata(), Date.now() + 50)
  return await answer.then(
    () => '',
    ({ details }: ServiceError) => details,
  )
}

/** Asks gRPC's standard health service about the server as a whole: an empty request. Rejects with grpc-js's error. */
export function queryHealth(client: Client, metadata: Metadata, deadline: number): Promise<Buffer> {
  const asIs = (bytes: Buffer): Buffer => bytes
  return new Promise((resolve, reject) => {
    const answered = (error: ServiceError | null, answer: Buffer = Buffer.alloc(0)): void =>
      error ? reject(error) : resolve(answer)
    client.makeUnaryRequest(HEALTH_CHECK, asIs, asIs, Buffer.alloc(0), metadata, { deadline }, answered)
  })
}

const HEALTH_CHECK = '/grpc.health.v1.Health/Check'

/** Why there is no connection, and how to fix a TLS failure, judged by messages of grpc-js, Node and OpenSSL. */
function reasonOf(error: string, tls: 'mutual' | 'one-sided' | undefined): string | undefined {
  if (/Name resolution failed/.test(error)) return 'no address is known for this name'
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/.test(error)) return 'nothing answers at this address'
  const unanswered = /Failed to connect|closed by the server|ECONNRESET|socket disconnected|EPIPE/.test(error)
  if (tls === undefined) {
    if (!unanswered) return undefined
    return 'it closes connections, probably because it requires TLS: set GRPC_TLS_CERT_FILE, GRPC_TLS_KEY_FILE, GRPC_TLS_CA_FILE'
  }
  const signers =
    tls === 'mutual' ? 'GRPC_TLS_CA_FILE' : 'a CA of this system: set GRPC_TLS_CA_FILE or NODE_EXTRA_CA_CERTS'
  if (/altnames/.test(error)) return `its certificate (GRPC_TLS_CERT_FILE there) is for other names: ${error}`
  if (/expired|not yet valid/.test(error)) return 'its certificate (GRPC_TLS_CERT_FILE there) is not valid now'
  if (/self-signed|unable to (verify|get)/.test(error)) return `its certificate is not signed by ${signers}`
  if (/wrong version number|packet length/.test(error)) return 'it does not speak TLS: set GRPC_TLS_CERT_FILE there'
  if (unanswered || /alert/.test(error)) {
    return 'it closes connections, probably because no certificate in its GRPC_TLS_CA_FILE signed GRPC_TLS_CERT_FILE'
  }
  return undefined
}
