import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { beginReading, readFileBody } from '../../../gateway/http/body.ts'
import { waitFor } from '../../support/wait-for.ts'

describe('A chunked file', () => {
  it('has the whole time to arrive once it is read on, however long it waited for its turn', async () => {
    const milliseconds = 20
    let isPaused = false
    const socket = { pause: () => (isPaused = true), resume: () => undefined }
    const req = Object.assign(new PassThrough(), { headers: { 'transfer-encoding': 'chunked' }, socket })
    const arriving = beginReading(req as unknown as IncomingMessage, milliseconds)
    req.write(Buffer.alloc(110_000))
    await waitFor(() => isPaused, { what: 'more than a JSON body may have' })
    await pause(3 * milliseconds)
    const bytes = readFileBody({ req } as unknown as ServerResponse, { milliseconds, arriving })
    req.end()
    assert.equal((await bytes).length, 110_000)
  })
})
