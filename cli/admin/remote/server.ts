import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { Metadata, Server, ServerCredentials, type ServerWritableStream, status } from '@grpc/grpc-js'
import { AdminServiceService, type RunRequest, type RunResponse } from '../../../shared/gen/mint/admin/v1/admin.ts'
import type { Logger } from '../../../shared/logger.ts'
import { CommandFailure, EXIT } from '../../exit.ts'
import type { Admin, OperationName } from '../operations.ts'
import { newToken, removeAccessFile, writeAccessFile } from './access-file.ts'
import { EXIT_CODE_KEY, TOKEN_KEY } from './wire.ts'

const LOOPBACK = '127.0.0.1'

export interface AdminServerOptions {
  /** The data folder: the address and a new token are put into it. */
  readonly folder: string
  /** What runs the operations; loaded at the first call. */
  readonly loadAdmin: () => Promise<Admin>
  readonly logger: Logger
}

export interface AdminServer {
  /** Takes the file away and ends what is under way. */
  stop(): Promise<void>
}

type Call = ServerWritableStream<RunRequest, RunResponse>

/** Serves the folder's administration on a free port of loopback, to whoever can read the folder's admin.json. */
export async function startAdminServer({ folder, loadAdmin, logger }: AdminServerOptions): Promise<AdminServer> {
  const token = newToken()
  const server = new Server()
  const run = (call: Call): void => {
    answer(call, token, loadAdmin).catch((error: unknown) => {
      if (!(error instanceof CommandFailure)) logger.error({ err: error, operation: call.request.operation }, 'failed')
      call.emit('error', toStatus(error))
    })
  }
  server.addService(AdminServiceService, { run })
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${LOOPBACK}:0`, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })
  writeAccessFile(folder, { address: `${LOOPBACK}:${port}`, token })
  return {
    async stop() {
      removeAccessFile(folder)
      server.forceShutdown()
    },
  }
}

async function answer(call: Call, token: string, loadAdmin: () => Promise<Admin>): Promise<void> {
  if (!isSame(String(call.metadata.get(TOKEN_KEY)[0] ?? ''), token)) throw new Refused()
  const { operation, arguments: input } = call.request
  const admin = await loadAdmin()
  for await (const message of admin.run(operation as OperationName, JSON.parse(input))) {
    if (call.cancelled) return
    if (!call.write({ message: JSON.stringify(message) })) await drained(call)
  }
  call.end()
}

/** A caller that goes away must not keep an operation waiting for ever. */
async function drained(call: Call): Promise<void> {
  const ended = new AbortController()
  const end = () => ended.abort()
  call.once('cancelled', end)
  await once(call, 'drain', { signal: ended.signal }).catch(() => undefined)
  call.off('cancelled', end)
}

/** In the same time wherever they differ. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}

class Refused extends CommandFailure {
  constructor() {
    super('The running Mint does not accept the token: it was started anew just now, so try again.')
  }
}

function toStatus(error: unknown) {
  const metadata = new Metadata()
  metadata.set(EXIT_CODE_KEY, String(error instanceof CommandFailure ? error.exitCode : EXIT.failed))
  const code = error instanceof Refused ? status.UNAUTHENTICATED : status.FAILED_PRECONDITION
  return { code, details: error instanceof Error ? error.message : String(error), metadata }
}
