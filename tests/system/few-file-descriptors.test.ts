import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { atEnd } from '../support/cleanup.ts'
import { linesWith } from '../support/lines-with.ts'
import { startedMint } from '../support/mint-process.ts'
import { aNewContract, restClient } from '../support/rest.ts'
import { newFolder } from '../support/temporary-folder.ts'

const LIMITED = ['sh', '-c', 'ulimit -n 300 && exec "$0" "$@"', process.execPath, 'cli/launch.js', 'start'] as const

describe('A Mint whose limit of open files is below MAX_CONNECTIONS', () => {
  it('warns, and accepts only as many connections as it can still serve', async () => {
    const mint = await startedMint({ dataFolder: newFolder(), command: LIMITED })
    const [line = '{}'] = linesWith(mint.errors(), 'MAX_CONNECTIONS')
    const { MAX_CONNECTIONS, used, openFiles } = JSON.parse(line)
    assert.deepEqual({ MAX_CONNECTIONS, used, openFiles }, { MAX_CONNECTIONS: 1_024, used: 14, openFiles: 300 })
    for (const address of [new URL(mint.url).host, mint.contractsAddress, mint.businessesAddress]) {
      for (let opened = 0; opened < 400; opened++) {
        const socket = atEnd.destroy(connect(Number(address.split(':').at(-1)), '127.0.0.1').on('error', () => {}))
        await once(socket, 'connect')
      }
    }
    const call = restClient(mint)
    assert.equal((await call('POST', '/contracts', aNewContract())).status, 201)
    assert.equal((await call('GET', '/readyz')).status, 200)
  })
})
