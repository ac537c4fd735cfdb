import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beginReading, readFileBody } from '../../../gateway/http/body.ts'

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
})
