import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { ReaderGone, writeText } from '../../../cli/output/write.ts'

/** A stream that takes nothing, because of this error. */
function failing(code: string): Writable {
  const write = (_chunk: unknown, _encoding: string, done: (error: Error) => void) =>
    setImmediate(done, Object.assign(new Error(`write ${code}`), { code }))
  return new Writable({ highWaterMark: 1, write }).on('error', () => undefined)
}

describe('Writing output', () => {
  it('says that nobody reads it any more, which is no failure', async () => {
    await assert.rejects(writeText({ out: failing('EPIPE') }, 'a line\n'), ReaderGone)
  })

  it('throws what else keeps it from being written', async () => {
    await assert.rejects(writeText({ out: failing('ENOSPC') }, 'a line\n'), {
      name: 'CommandFailure',
      message: "Standard output can't be written (write ENOSPC): redirect it to where there is room.",
    })
  })
})
