import { Client, credentials } from '@grpc/grpc-js'

/** How long an answer may take, in milliseconds. */
const TIMEOUT = 2_000
const CHECK = '/grpc.health.v1.Health/Check'
/** HealthCheckResponse { status: SERVING }, encoded: field 1, value 1. */
const SERVING = Buffer.from([0x08, 0x01])

/**
 * Asks a process of Mint whether it is well, for the health check of its container: exit 0, or 1 with the reason.
 * `health.ts http://127.0.0.1:8080/readyz` asks a gateway, `health.ts grpc://127.0.0.1:50051` a service.
 */
const address = new URL(process.argv[2] ?? '')
try {
  await (address.protocol === 'grpc:' ? checkGrpc(address.host) : checkHttp(address))
} catch (error) {
  console.error(`${address} is not well: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

async function checkHttp(url: URL): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) })
  if (!answer.ok) throw new Error(`status ${answer.status}`)
}

/** gRPC's standard health service, asked for the server as a whole: an empty request. */
function checkGrpc(target: string): Promise<void> {
  const client = new Client(target, credentials.createInsecure())
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
