import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { MemoryBudget } from '../../../shared/budget/budget.ts'
import { createBoundedConnections } from '../../../shared/runtime/http/bounded-connections.ts'
import { closeWhenStalled } from '../../../shared/runtime/http/close-when-stalled.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import { CommandFailure, EXIT, type ExitCode } from '../../exit.ts'
import type { Admin, OperationName } from '../operations.ts'
import type { Report } from '../report.ts'
import { removeAccessFile, writeAccessFile } from './access-file.ts'

const LOOPBACK = '127.0.0.1'
/** Of the line with the token. */
const LONGEST_LINE = 200
/** More than any request has, in UTF-16 code units. */
const LARGEST_REQUEST = 1_000_000
/** For each unit of a request, which is in memory as text and as what it says. */
const BYTES_FOR_EACH = 4
/** How many connections may be open that have not shown the token. */
const MAX_STRANGERS = 64

/** What a caller sends behind a line with the token, as one JSON value, before it ends its half of the connection. */
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
  readonly budget: MemoryBudget
  readonly logger: Logger
  readonly timeouts?: Partial<Timeouts>
}

/** All in milliseconds. */
interface Timeouts {
  /** For the token to arrive. */
  readonly token: number
  /** For the request to arrive after it. */
  readonly request: number
  /** For a caller to take more of its answer; Node may need twice that to notice. */
  readonly stalled: number
}

const TIMEOUTS: Timeouts = { token: 2_000, request: 10_000, stalled: 20_000 }

/**
 * Serves the folder's administration on a free loopback port, to whoever can read the folder's admin.json, which gets
 * the address and a new token. Nothing else is read from a caller before its token. `loadAdmin` is called for every
 * request. `stop` removes the file and aborts requests in progress.
 */
export async function startAdminServer(
  folder: string,
  loadAdmin: () => Promise<Admin>,
  { budget, logger, ...options }: AdminServerOptions,
) {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const token = randomBytes(32).toString('base64url')
  const open = new Set<Socket>()
  const strangers = createBoundedConnections(MAX_STRANGERS)
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    strangers.add(socket)
    // A caller that disconnects ends its operation; whatever is still written to it is lost anyway.
    socket.on('error', () => undefined)
    closeWhenStalled(socket, timeouts.stalled)
    pipeline(answers(socket), socket).catch(() => socket.destroy())
  })

  async function* answers(socket: Socket): AsyncGenerator<string> {
    const request = reading(socket)
    const line = await before(timeouts.token, socket, request.line())
    if (!isSame(line, token)) {
      yield toLine({ type: 'failure', message: whyRefused(line), exitCode: EXIT.failed })
      socket.once('finish', () => socket.destroy())
      return
    }
    strangers.remove(socket)
    // Callers with the token share no memory with callers without it.
    const charge = await budget.ofKey('administration').wait(BYTES_FOR_EACH * LARGEST_REQUEST, timeouts.request)
    try {
      const text = await before(timeouts.request, socket, request.rest())
      charge.resize(BYTES_FOR_EACH * text.length)
      yield* answersTo(JSON.parse(text), socket)
    } finally {
      charge.release()
    }
  }

  async function* answersTo({ operation, input }: AdminRequest, socket: Socket): AsyncGenerator<string> {
    const report: Report = (...progress) => {
      // Only the latest matters: a caller who doesn't take them gets fewer.
      if (!socket.writableNeedDrain) socket.write(toLine({ type: 'progress', progress }))
      return !socket.destroyed
    }
    try {
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

const toLine = (answer: AdminAnswer): string => `${JSON.stringify(answer)}\n`

/** Reads what a caller sends, no further than asked. */
function reading(socket: Socket) {
  let text = ''
  const chunks: AsyncIterator<string> = socket.setEncoding('utf8').iterator({ destroyOnReturn: false })
  async function readUntil(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) {
      const { done, value } = await chunks.next()
      if (done) return
      text += value
    }
  }
  return {
    /** The first line, or its beginning if it is too long. */
    async line(): Promise<string> {
      await readUntil(() => text.includes('\n') || text.length > LONGEST_LINE)
      return text.split('\n', 1)[0]?.slice(0, LONGEST_LINE) ?? ''
    },
    /** All that follows it. Throws if it is too long. */
    async rest(): Promise<string> {
      await readUntil(() => text.length > LONGEST_LINE + LARGEST_REQUEST)
      if (text.length > LONGEST_LINE + LARGEST_REQUEST) throw new Error('too large')
      return text.slice(text.indexOf('\n') + 1)
    },
  }
}

/** What is read from a socket, which is closed if that takes longer. */
async function before<Read>(milliseconds: number, socket: Socket, reading: Promise<Read>): Promise<Read> {
  const timer = setTimeout(() => socket.destroy(), milliseconds)
  return await reading.finally(() => clearTimeout(timer))
}

/** The version before this protocol sends a JSON object at once. */
const whyRefused = (line: string): string =>
  line.startsWith('{')
    ? 'The running Mint has another version than this command. Use the command of that version.'
    : 'The running Mint does not accept the token: it has just been restarted, so try again.'

/** Compares in constant time. */
const isSame = (given: string, token: string): boolean => timingSafeEqual(digest(given), digest(token))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
