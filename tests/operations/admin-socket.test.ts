import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { directAdmin } from '../../cli/admin/operations.ts'
import { remoteAdmin } from '../../cli/admin/remote/client.ts'
import { startAdminServer } from '../../cli/admin/remote/server.ts'
import { ADMIN_SOCKET } from '../../cli/admin/remote/socket.ts'
import type { Report } from '../../cli/admin/report.ts'
import { openDataFolder } from '../../cli/start/data-folder.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { atEnd } from '../support/cleanup.ts'
import { collectingLogger } from '../support/collecting-logger.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { newFolder } from '../support/temporary-folder.ts'

const PIECE = 'x'.repeat(100_000)

describe('The admin socket', () => {
  /** Starts a server in a folder, every operation of which calls `run`. */
  async function serving(
    run: (input: unknown, report: Report) => AsyncIterable<unknown>,
    { folder = newFolder(), ...options }: { folder?: string; logger?: Logger; stalledMilliseconds?: number } = {},
  ) {
    const admin = { run: (_: string, input: unknown, report: Report) => run(input, report) }
    const server = await startAdminServer(folder, async () => admin as never, { logger: quietLogger(), ...options })
    atEnd(() => server.stop())
    return folder
  }

  async function* echo(input: unknown) {
    yield* [input, PIECE, '€\u2028\n']
  }

  async function resultsIn(folder: string, input: object): Promise<unknown[]> {
    const items = []
    for await (const item of remoteAdmin(folder).run('verify', input as never, () => {})) items.push(item)
    return items
  }

  it('transfers input and results of any size', async () => {
    const input = { text: PIECE.repeat(30) }
    assert.deepEqual(await resultsIn(await serving(echo), input), [input, PIECE, '€\u2028\n'])
  })

  it('is accessible only to its own user', async () => {
    const folder = await serving(echo)
    const found = statSync(join(folder, ADMIN_SOCKET))
    assert.deepEqual([found.isSocket(), found.mode & 0o777], [true, 0o600])
  })

  it('of a killed Mint is removed as soon as another one starts, so that commands wait for the new one', async () => {
    const left = join(newFolder(), ADMIN_SOCKET)
    writeFileSync(left, '')
    atEnd.close(await openDataFolder(dirname(left)))
    assert.ok(!existsSync(left))
  })

  it('is reachable in a folder whose path is too long for a socket', async () => {
    const folder = join(newFolder(), 'a-long-name'.repeat(20))
    mkdirSync(folder)
    await serving(echo, { folder })
    assert.equal((await resultsIn(folder, {})).length, 3)
  })

  it('refuses in words what only a newer command knows', async () => {
    const { run } = directAdmin({} as never)
    const folder = await serving((input, report) => run('no-such' as never, input as never, report))
    await assert.rejects(resultsIn(folder, {}), {
      name: 'CommandFailure',
      message: 'The running Mint is another version, which can’t do this (no-such): restart it.',
    })
  })

  for (const [what, leave] of [
    ['ends the connection', (socket: Socket) => socket.end()],
    ['is killed', (socket: Socket) => socket.destroy()],
  ] as const) {
    it(`leaves no command with half of its results if Mint ${what}`, async () => {
      const folder = newFolder()
      const server = createServer(leave).listen(join(folder, ADMIN_SOCKET))
      atEnd(() => server.close())
      await once(server, 'listening')
      await assert.rejects(resultsIn(folder, {}), {
        name: 'CommandFailure',
        message: /disconnected before it was done/,
      })
    })
  }

  it('logs an operation that fails because of a bug, whatever the error, but no unreadable request', async () => {
    const { logger, lines } = collectingLogger()
    const parse = async function* () {
      yield JSON.parse('{"stored": wrong}')
    }
    const folder = await serving(parse, { logger })
    const garbled = connect(join(folder, ADMIN_SOCKET))
    garbled.end('{"operation":')
    const message = 'The running Mint can’t read this request: use the command of its version.'
    assert.deepEqual(JSON.parse(await text(garbled)), { type: 'failure', message, exitCode: 1 })
    assert.deepEqual(lines, [])
    await assert.rejects(resultsIn(folder, {}), /is not valid JSON/)
    assert.deepEqual(
      lines.map(({ msg, operation }) => [msg, operation]),
      [['an operation failed', 'verify']],
    )
  })

  it('is optional: in a folder where it can’t be created, Mint warns and keeps running', async () => {
    const { logger, lines } = collectingLogger()
    const folder = newFolder()
    // Occupies the socket's name.
    mkdirSync(join(folder, ADMIN_SOCKET))
    await serving(echo, { folder, logger })
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      ['commands can’t reach this Mint: run them while it is stopped'],
    )
    await assert.rejects(resultsIn(folder, {}), /can't be reached/)
  })

  it('disconnects a caller that reads nothing, and buffers none of its progress reports', async () => {
    let reported = 0
    const isCut = Promise.withResolvers<void>()
    const folder = await serving(
      async function* (_, report) {
        yield 'an item'
        while (report(PIECE, ++reported, 0)) if (reported % 100 === 0) await new Promise(setImmediate)
        isCut.resolve()
      },
      { stalledMilliseconds: 200 },
    )
    const stalled = atEnd.destroy(connect(join(folder, ADMIN_SOCKET)).on('error', () => undefined))
    const before = process.memoryUsage.rss()
    stalled.end('{"operation":"verify"}')
    await isCut.promise
    assert.ok(reported > 2_000, `${reported} reports`)
    assert.ok(process.memoryUsage.rss() - before < 80_000_000)
  })
})
