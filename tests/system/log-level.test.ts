import assert from 'node:assert/strict'
import { atEnd } from '../support/cleanup.ts'
import { TEST_SECRET } from '../support/grpc-access.ts'
import { logLines } from '../support/log-lines.ts'
import { startedMint } from '../support/mint-process.ts'
import { startPart } from '../support/part-process.ts'
import { restClient } from '../support/rest.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'

describe('SIGUSR2', () => {
  it('switches the log of npm start to debug and back without interrupting requests', async () => {
    const mint = await startedMint({ dataFolder: newFolder(), environment: { LOG_LEVEL: 'warn' } })
    const call = restClient(mint)
    const ask = async () => assert.equal((await call('GET', '/contracts')).status, 200)
    await ask()
    assert.deepEqual(logLines(mint.errors()), [])

    mint.signal('SIGUSR2')
    await waitFor(() => switches(mint.errors()).length === 1, { what: 'the first switch' })
    await ask()
    await waitFor(() => logLines(mint.errors()).some(({ msg }) => msg === 'answered'), { what: 'a line at debug' })

    mint.signal('SIGUSR2')
    await waitFor(() => switches(mint.errors()).length === 2, { what: 'the second switch' })
    assert.deepEqual(switches(mint.errors()), ['debug', 'warn'])
    const length = logLines(mint.errors()).length
    await ask()
    assert.equal(logLines(mint.errors()).length, length)
  })

  for (const part of ['gateway', 'services/contracts', 'services/businesses']) {
    it(`switches the log of ${part}, even while it waits for its engines`, async () => {
      const engines = { MONGO_URL: 'mongodb://127.0.0.1:1', KAFKA_BROKERS: '127.0.0.1:1' }
      const ports = Object.fromEntries(PORTS.map((name) => [name, '0']))
      const process = atEnd.kill(startPart(`${part}/main.ts`, { ...engines, ...ports, SERVICE_SECRET: TEST_SECRET }))
      await waitFor(() => process.log().includes('\n'), { timeout: 30_000, what: 'its first line' })
      for (const count of [1, 2, 3]) {
        process.signal('SIGUSR2')
        await waitFor(() => switches(process.log()).length === count, { what: `switch ${count}` })
      }
      assert.deepEqual(switches(process.log()), ['debug', 'info', 'debug'])
    })
  }
})

const PORTS = ['PORT', 'CONTRACTS_PORT', 'BUSINESSES_PORT', 'METRICS_PORT']

/** The levels that the log was switched to. */
const switches = (log: string) =>
  logLines(log)
    .filter(({ msg }) => msg === 'the log level was switched')
    .map(({ to }) => to)
