import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { ReaderGone, writeItems, writeText } from '../../../cli/output/write.ts'

/** A stream on which every write fails with this error. */
function failing(code: string): Writable {
  const write = (_chunk: unknown, _encoding: string, done: (error: Error) => void) =>
    setImmediate(done, Object.assign(new Error(`write ${code}`), { code }))
  return new Writable({ highWaterMark: 1, write }).on('error', () => undefined)
}

describe('Writing output', () => {
  it('reports that its reader is gone, which is not a failure', async () => {
    await assert.rejects(writeText({ out: failing('EPIPE') }, 'a line\n'), ReaderGone)
  })

  it('completes an operation whose reader is gone, so that nothing is left undone', async () => {
    let isDone = false
    async function* operation() {
      yield 'one'
      yield 'two'
      isDone = true
    }
    const count = await writeItems({ out: failing('EPIPE') }, operation(), { toLines: (item) => [item] })
    assert.deepEqual({ count, isDone }, { count: 2, isDone: true })
  })

  it('fails on any other error', async () => {
    await assert.rejects(writeText({ out: failing('ENOSPC') }, 'a line\n'), {
      name: 'CommandFailure',
      message: "Standard output can't be written (write ENOSPC): redirect it to where there is room.",
    })
  })
})
