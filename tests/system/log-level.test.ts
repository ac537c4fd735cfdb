import assert from 'node:assert/strict'
import { logLines, logSwitches } from '../support/log-lines.ts'
import { startedMint } from '../support/mint-process.ts'
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
    await waitFor(() => logSwitches(mint.errors()).length === 1, { what: 'the first switch' })
    await ask()
    await waitFor(() => logLines(mint.errors()).some(({ msg }) => msg === 'answered'), { what: 'a line at debug' })

    mint.signal('SIGUSR2')
    await waitFor(() => logSwitches(mint.errors()).length === 2, { what: 'the second switch' })
    assert.deepEqual(logSwitches(mint.errors()), ['debug', 'warn'])
    const length = logLines(mint.errors()).length
    await ask()
    assert.equal(logLines(mint.errors()).length, length)
  })
})
