import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CodedError } from '../../../shared/calls/errors.ts'
import { closeWhenStalled } from '../../../shared/runtime/http/close-when-stalled.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import { CommandFailure, EXIT, type ExitCode } from '../../exit.ts'
import type { Admin, OperationName } from '../operations.ts'
import type { Report } from '../report.ts'
import { ADMIN_SOCKET, socketIn } from './socket.ts'

/** What a caller sends, as one JSON value, before it ends its half of the connection. */
export interface AdminRequest {
  readonly operation: OperationName
  readonly input: unknown
}

/** What is answered, one JSON value per line; the last one is `end` or `failure`. */
export type AdminAnswer =
  | { readonly type: 'item'; readonly item: unknown }
  | { readonly type: 'progress'; readonly progress: Parameters<Report> }
  | { readonly type: 'end' }
  | { readonly type: 'failure'; readonly message: string; readonly exitCode: ExitCode }

interface AdminServerOptions {
  readonly logger: Logger
  /** How long a caller may leave its answer unread; Node may take twice that to notice. */
  readonly stalledMilliseconds?: number
}

/**
 * Serves the folder's administration on a socket in it. Only the user of this process may connect, who could change the
 * databases anyway, so connections and requests are not limited. `loadAdmin` is called for every request. `stop` removes
 * the socket and aborts requests in progress.
 */
export async function startAdminServer(
  folder: string,
  loadAdmin: () => Promise<Admin>,
  { logger, stalledMilliseconds = 20_000 }: AdminServerOptions,
) {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    // A caller that disconnects ends its operation; whatever is still written to it is lost anyway.
    socket.on('error', () => undefined)
    closeWhenStalled(socket, stalledMilliseconds)
    pipeline(answers(socket), socket).catch(() => socket.destroy())
  })

  async function* answers(socket: Socket): AsyncGenerator<string> {
    const report: Report = (...progress) => {
      // Only the latest matters: a caller that reads slowly gets fewer.
      if (!socket.writableNeedDrain) socket.write(toLine({ type: 'progress', progress }))
      return !socket.destroyed
    }
    let operation: OperationName | undefined
    try {
      const request = await requestFrom(socket)
      operation = request.operation
      const admin = await loadAdmin()
      const items = admin.run(operation, request.input as never, report)
      for await (const item of items) yield toLine({ type: 'item', item })
      yield toLine({ type: 'end' })
    } catch (error) {
      const isFailure = error instanceof CommandFailure
      // A refusal is not an error of Mint.
      if (!isFailure && !(error instanceof CodedError)) logger.error({ err: error, operation }, 'an operation failed')
      const message = error instanceof Error ? error.message : String(error)
      yield toLine({ type: 'failure', message, exitCode: isFailure ? error.exitCode : EXIT.failed })
    }
  }

  const address = socketIn(folder)
  try {
    await once(server.listen(address.path), 'listening')
    chmodSync(join(folder, ADMIN_SOCKET), 0o600)
  } catch (err) {
    // Some file systems don't support sockets.
    logger.warn({ err }, 'commands can’t reach this Mint: run them while it is stopped')
  }
  return {
    async stop(): Promise<void> {
      // Removes the socket.
      server.close()
      for (const socket of open) socket.destroy()
      address[Symbol.dispose]()
    },
  }
}

async function requestFrom(socket: Socket): Promise<AdminRequest> {
  let text = ''
  for await (const piece of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) text += piece
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CommandFailure('The running Mint can’t read this request: use the command of its version.', { cause })
  }
}

const toLine = (answer: AdminAnswer): string => `${JSON.stringify(answer)}\n`
