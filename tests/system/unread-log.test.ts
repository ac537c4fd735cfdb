import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { bareEnvironment } from '../support/bare-environment.ts'
import { atEnd } from '../support/cleanup.ts'
import { readMetrics } from '../support/metrics.ts'
import { startedMint } from '../support/mint-process.ts'
import { restClient } from '../support/rest.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { unreadPipe } from '../support/unread-pipe.ts'
import { waitFor } from '../support/wait-for.ts'

/** More than a pipe buffers. */
const LINES = 30_000
const INTO_PIPE = ['sh', '-c', 'exec "$0" "$@" 2>"$LOG_PIPE"', process.execPath] as const

describe('A log that nobody reads', () => {
  const newPipe = () => atEnd.close(unreadPipe(newFolder()))

  function logging(pipe: { readonly path: string }, afterwards: string): ChildProcess {
    const script = `
      import { createLogger } from './shared/runtime/log/logger.ts'
      const logger = createLogger({ name: 'test', level: 'info' })
      for (let line = 0; line < ${LINES}; line++) logger.info({ line }, 'a line')
      ${afterwards}
    `
    const [program, ...shell] = [...INTO_PIPE, '--input-type=module', '-e', script]
    const child = spawn(program, shell, { env: { ...bareEnvironment(), LOG_PIPE: pipe.path } })
    atEnd(() => child.kill('SIGKILL'))
    return child
  }

  it('blocks neither requests nor SIGTERM', async () => {
    const pipe = newPipe()
    const mint = await startedMint({
      dataFolder: newFolder(),
      command: [...INTO_PIPE, 'cli/launch.js', 'start'],
      environment: { LOG_PIPE: pipe.path, LOG_LEVEL: 'debug' },
    })
    const call = restClient(mint)
    const padding = 'x'.repeat(7_000)
    const isDropping = async (): Promise<boolean> => {
      assert.equal((await call('GET', `/nowhere/${padding}`)).status, 404)
      const metrics = await readMetrics(mint.metricsUrl)
      return (metrics.value('mint_log_lines_dropped_total') ?? 0) > 0
    }
    await waitFor(isDropping, { what: 'lines to be dropped and counted' })
    assert.equal((await call('GET', '/healthz')).status, 200)
    mint.signal('SIGTERM')
    assert.equal((await mint.ended).exitCode, 0)
  })

  it('is complete except for the lines that overflowed its buffer, which are counted once it is read', async () => {
    const pipe = newPipe()
    const child = logging(pipe, 'setInterval(() => {}, 1000); console.log("logged")')
    await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
    await waitFor(() => pipe.read().endsWith('nobody read them"}\n'), { what: 'the count of lines' })
    const text = pipe.read()
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { lines: dropped } = lines.pop()
    assert.ok(text.length > 1024 * 1024 && dropped > 0)
    assert.deepEqual(
      lines.map(({ line }) => line),
      [...lines.keys()],
    )
    assert.equal(lines.length + dropped, LINES)
  })

  it('counts every lost line even if the process exits before a slow reader is done', async () => {
    const pipe = newPipe()
    const child = logging(pipe, 'process.exit(3)')
    const ended = once(child, 'exit')
    await waitFor(() => pipe.read() !== '' && child.exitCode !== null, { what: 'the end of the process' })
    assert.deepEqual(await ended, [3, null])
    const read = pipe.read()
    assert.ok(read.endsWith('}\n'))
    const lines: { line?: number; lines?: number }[] = read
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const logged = new Set(lines.flatMap(({ line }) => line ?? []))
    const dropped = lines.reduce((sum, { lines = 0 }) => sum + lines, 0)
    assert.equal(logged.size + dropped, LINES)
  })
})
