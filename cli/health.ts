import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { Client, credentials } from '@grpc/grpc-js'

/** How long an answer may take, in milliseconds. */
const TIMEOUT = 2_000
const CHECK = '/grpc.health.v1.Health/Check'
/** HealthCheckResponse { status: SERVING }, encoded: field 1, value 1. */
const SERVING = Buffer.from([0x08, 0x01])
/** The process is in the same container, at an address that its certificate need not name. */
const UNVERIFIED = { rejectUnauthorized: false }

/**
 * Checks whether a process of Mint is healthy, for the health check of its container: exits with 0, or with 1 and the
 * reason. `health.ts http://127.0.0.1:8080/readyz` checks a gateway, `health.ts grpc://127.0.0.1:50051` a service, and
 * without an address whichever of the three runs in this container; over TLS if the process's own settings say so.
 */
const { PORT, CONTRACTS_PORT, BUSINESSES_PORT } = process.env
const { TLS_CERT_FILE, GRPC_TLS_CERT_FILE, GRPC_TLS_KEY_FILE } = process.env
// An empty setting counts as absent, as for the process itself.
const EVERY_PART = [
  `http://127.0.0.1:${PORT || 8080}/readyz`,
  `grpc://127.0.0.1:${CONTRACTS_PORT || 50051}`,
  `grpc://127.0.0.1:${BUSINESSES_PORT || 50052}`,
]
const given = process.argv.slice(2)
try {
  await Promise.any((given.length > 0 ? given : EVERY_PART).map(check))
} catch (error) {
  for (const { message } of (error as AggregateError).errors) console.error(message)
  process.exitCode = 1
}

async function check(text: string): Promise<void> {
  const address = new URL(text)
  try {
    if (address.protocol === 'grpc:') await checkGrpc(address.host)
    else if (TLS_CERT_FILE) await checkHttps(address)
    else await checkHttp(address)
  } catch (error) {
    throw new Error(`${address} is unhealthy: ${error instanceof Error ? error.message : error}`)
  }
}

async function checkHttp(url: URL): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) })
  if (!answer.ok) throw new Error(`status ${answer.status}`)
}

async function checkHttps({ hostname, port, pathname }: URL): Promise<void> {
  const request = get({ hostname, port, path: pathname, ...UNVERIFIED, signal: AbortSignal.timeout(TIMEOUT) })
  const [answer] = await once(request, 'response')
  request.destroy()
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`)
}

/** Calls gRPC's standard health service: an empty request asks about the server as a whole. */
function checkGrpc(target: string): Promise<void> {
  const client = new Client(target, grpcCredentials(), { 'grpc.ssl_target_name_override': 'localhost' })
  const asIs = (bytes: Buffer): Buffer => bytes
  return new Promise<void>((resolve, reject) => {
    const options = { deadline: Date.now() + TIMEOUT }
    client.makeUnaryRequest(CHECK, asIs, asIs, Buffer.alloc(0), options, (error, answer) => {
      if (error) reject(error)
      else if (!answer?.equals(SERVING)) reject(new Error('not serving'))
      else resolve()
    })
  }).finally(() => client.close())
}

function grpcCredentials() {
  if (!GRPC_TLS_CERT_FILE || !GRPC_TLS_KEY_FILE) return credentials.createInsecure()
  return credentials.createSsl(null, readFileSync(GRPC_TLS_KEY_FILE), readFileSync(GRPC_TLS_CERT_FILE), UNVERIFIED)
}
