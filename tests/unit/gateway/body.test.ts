import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beginReading, readFileBody } from '../../../gateway/http/body.ts'
import { atEnd } from '../../support/cleanup.ts'

describe('A chunked file', () => {
  afterEach(() => mock.timers.reset())

  it('has the full time to arrive once reading resumes, however long it waited for its turn', async () => {
    const milliseconds = 20_000
    mock.timers.enable({ apis: ['setTimeout'] })
    let isPaused = false
    const socket = { pause: () => (isPaused = true), resume: () => undefined }
    const req = Object.assign(new PassThrough(), { headers: { 'transfer-encoding': 'chunked' }, socket })
    const arriving = beginReading(req as unknown as IncomingMessage, milliseconds)
    req.write(Buffer.alloc(110_000))
    while (!isPaused) await nextTurn()
    mock.timers.tick(3 * milliseconds)
    const bytes = readFileBody({ req } as unknown as ServerResponse, { milliseconds, arriving })
    mock.timers.tick(milliseconds - 1)
    req.end()
    assert.equal((await bytes).length, 110_000)
  })

  it('is read no further until its endpoint takes it, even in chunks of one byte, and then to its end', async () => {
    const milliseconds = 20_000
    const begun = Promise.withResolvers<[IncomingMessage, ReturnType<typeof beginReading>]>()
    const server = createServer((req) => begun.resolve([req, beginReading(req, milliseconds)])).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    atEnd(() => socket.destroy())
    atEnd(() => server.close())
    const count = 20_000
    const head = 'POST / HTTP/1.1\r\nHost: mint\r\nTransfer-Encoding: chunked\r\n\r\n'
    socket.write(`${head}${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`)
    const [req, arriving] = await begun.promise
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    assert.ok(req.socket.bytesRead < 100_000, `${req.socket.bytesRead} bytes were read`)
    const bytes = await readFileBody({ req } as unknown as ServerResponse, { milliseconds, arriving })
    assert.equal(bytes.length, count)
  })
})
