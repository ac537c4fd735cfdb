import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs a process that rejects a promise which nobody awaits, and returns its exit code and log. */
async function rejecting(reason: string): Promise<{ readonly exitCode: number; readonly log: string }> {
  const shared = fileURLToPath(import.meta.resolve('../../../shared/'))
  const program = `
    import { CALLER_LEFT, CodedError } from '${shared}calls/errors.ts'
    import { createLogger } from '${shared}runtime/log/logger.ts'
    import { endOnSignal } from '${shared}runtime/process/lifecycle.ts'
    endOnSignal({ stop: async () => {}, logger: createLogger({ name: 'test', level: 'info' }) })
    Promise.reject(${reason})
    setImmediate(() => process.exit(7))`
  const run = Promise.withResolvers<{ exitCode: number; log: string }>()
  execFile(process.execPath, ['--input-type=module', '--eval', program], (error, _output, log) => {
    run.resolve({ exitCode: Number(error?.code ?? 0), log })
  })
  return await run.promise
}

describe('A rejection that nobody awaits', () => {
  it('is logged, and does not end the process, if it is the answer to a call', async () => {
    for (const reason of ["new CodedError('validation_failed', 'Wrong.')", 'CALLER_LEFT']) {
      const { exitCode, log } = await rejecting(reason)
      assert.equal(exitCode, 7)
      assert.match(log, /nobody awaited this error of a call/)
    }
  })

  it('ends the process if it is anything else, as its state is then unknown', async () => {
    const { exitCode, log } = await rejecting("new Error('broken')")
    assert.equal(exitCode, 1)
    assert.match(log, /unexpected error/)
  })
})
