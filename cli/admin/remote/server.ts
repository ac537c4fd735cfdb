import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import { CommandFailure, EXIT, type ExitCode } from '../../exit.ts'
import type { Admin, OperationName } from '../operations.ts'
import type { Report } from '../report.ts'
import { removeAccessFile, writeAccessFile } from './access-file.ts'

const LOOPBACK = '127.0.0.1'
/** More than any request has, in UTF-16 code units. */
const LARGEST_REQUEST = 1_000_000

/** What a caller sends, as one JSON value, before it ends its half of the connection. */
export interface AdminRequest {
  readonly token: string
  readonly operation: OperationName
  readonly input: unknown
}

/** What is answered, one JSON value per line; the last one is `end` or `failure`. */
export type AdminAnswer =
  | { readonly type: 'item'; readonly item: unknown }
  | { readonly type: 'progress'; readonly progress: Parameters<Report> }
  | { readonly type: 'end' }
  | { readonly type: 'failure'; readonly message: string; readonly exitCode: ExitCode }

/**
 * Serves the folder's administration on a free loopback port, to whoever can read the folder's admin.json, which gets
 * the address and a new token. `loadAdmin` is called for every request. `stop` removes the file and aborts requests in
 * progress.
 */
export async function startAdminServer(folder: string, loadAdmin: () => Promise<Admin>, logger: Logger) {
  const token = randomBytes(32).toString('base64url')
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    // A caller that disconnects ends its operation; whatever is still written to it is lost anyway.
    socket.on('error', () => undefined)
    pipeline(answers(socket), socket).catch(() => socket.destroy())
  })
  const toLine = (answer: AdminAnswer): string => `${JSON.stringify(answer)}\n`

  async function* answers(socket: Socket): AsyncGenerator<string> {
    const { token: given, operation, input } = await readRequest(socket)
    const report: Report = (...progress) => {
      socket.write(toLine({ type: 'progress', progress }))
      return !socket.destroyed
    }
    try {
      if (!isSame(String(given), token)) {
        throw new CommandFailure(
          'The running Mint does not accept the token: it has just been restarted, so try again.',
        )
      }
      const admin = await loadAdmin()
      for await (const item of admin.run(operation, input as never, report)) yield toLine({ type: 'item', item })
      yield toLine({ type: 'end' })
    } catch (error) {
      const expected = error instanceof CommandFailure
      if (!expected) logger.error({ err: error, operation }, 'an operation failed')
      const message = error instanceof Error ? error.message : String(error)
      yield toLine({ type: 'failure', message, exitCode: expected ? error.exitCode : EXIT.failed })
    }
  }

  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  writeAccessFile(folder, { address: `${LOOPBACK}:${port}`, token })
  return {
    async stop(): Promise<void> {
      removeAccessFile(folder)
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

async function readRequest(socket: Socket): Promise<AdminRequest> {
  let text = ''
  socket.setEncoding('utf8')
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk
    if (text.length > LARGEST_REQUEST) throw new Error('too large')
  }
  return JSON.parse(text)
}

/** Compares in constant time. */
const isSame = (given: string, token: string): boolean => timingSafeEqual(digest(given), digest(token))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
