import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { readAccessFile } from '../../cli/admin/remote/access-file.ts'
import { remoteAdmin } from '../../cli/admin/remote/client.ts'
import { startAdminServer } from '../../cli/admin/remote/server.ts'
import type { Report } from '../../cli/admin/report.ts'
import { createBudget } from '../../shared/budget/budget.ts'
import { attackWith } from '../support/attacks.ts'
import { atEnd } from '../support/cleanup.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'

const PIECE = 'x'.repeat(100_000)

describe('The port for administration', () => {
  /** A server whose operations do what `run` does. */
  async function serving(run: (input: unknown, report: Report) => AsyncIterable<unknown>, timeouts = {}) {
    const folder = newFolder()
    const budget = createBudget(0)
    const admin = { run: (_: string, input: unknown, report: Report) => run(input, report) }
    const server = await startAdminServer(folder, async () => admin as never, {
      budget,
      logger: quietLogger(),
      timeouts,
    })
    atEnd(() => server.stop())
    const access = readAccessFile(folder) ?? assert.fail('there is no access file')
    const port = Number(access.address.split(':')[1])
    return { access, port, held: budget.pools.keys.held }
  }

  const nothing = async function* () {}

  async function silent(port: number, count: number): Promise<Socket[]> {
    const sockets = await attackWith(port, count, '')
    atEnd(() => {
      for (const socket of sockets) socket.destroy()
    })
    // Only a connection that reads notices its end.
    for (const socket of sockets) socket.resume()
    return sockets
  }

  /** A connection over which so much was sent, and which reads nothing. */
  async function sending(port: number, text: string): Promise<Socket> {
    const socket = atEnd.destroy(connect(port, '127.0.0.1').on('error', () => undefined))
    socket.write(text)
    await once(socket, 'connect')
    return socket
  }

  it('hands on input and results of any size', async () => {
    const { access } = await serving(async function* (input) {
      yield* [input, PIECE, '€\u2028\n']
    })
    const items = []
    for await (const item of remoteAdmin(access).run('verify', { text: PIECE.repeat(9) } as never, () => {}))
      items.push(item)
    assert.deepEqual(items, [{ text: PIECE.repeat(9) }, PIECE, '€\u2028\n'])
  })

  it('gives a caller 2 s for the token, and then 10 s for its request, which is charged meanwhile', async () => {
    const { access, port, held } = await serving(nothing, { token: 200, request: 200 })
    const slow = (await sending(port, access.token.slice(1))).resume()
    await once(slow, 'close')
    assert.equal(held(), 0)
    const known = (await sending(port, `${access.token}\n{"operation":`)).resume()
    await waitFor(() => held() > 0, { what: 'the request to be charged' })
    await once(known, 'close')
    await waitFor(() => held() === 0, { what: 'its charge to be released' })
  })

  it('closes the connection of a request that is too large', async () => {
    const { access, port, held } = await serving(nothing)
    const large = (await sending(port, `${access.token}\n${'x'.repeat(1_100_000)}`)).resume()
    await waitFor(() => large.closed, { what: 'the connection to be closed' })
    assert.equal(held(), 0)
  })

  it('holds 64 connections without a token, and displaces none that has shown it', async () => {
    const { access, port } = await serving(nothing)
    const known = (await sending(port, `${access.token}\n{`)).resume()
    const strangers = await silent(port, 80)
    await waitFor(() => strangers.filter(({ closed }) => closed).length === 16, { what: 'the oldest to be closed' })
    assert.deepEqual([strangers[15]?.closed, strangers[16]?.closed, known.closed], [true, false, false])
  })

  it('cuts a caller who takes nothing, and stores none of the progress reported to it', async () => {
    let reported = 0
    const isCut = Promise.withResolvers<void>()
    const { access, port } = await serving(
      async function* (_, report) {
        yield 'an item'
        while (report(PIECE, ++reported, 0)) if (reported % 100 === 0) await new Promise(setImmediate)
        isCut.resolve()
      },
      { stalled: 200 },
    )
    const deaf = atEnd.destroy(connect(port, '127.0.0.1').on('error', () => undefined))
    const before = process.memoryUsage.rss()
    deaf.end(`${access.token}\n{"operation":"verify"}`)
    await isCut.promise
    assert.ok(reported > 2_000, `${reported} reports`)
    assert.ok(process.memoryUsage.rss() - before < 80_000_000)
  })
})
