import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd } from '../support/cleanup.ts'
import { mint, succeeds } from '../support/command-line.ts'
import { startedMint } from '../support/mint-process.ts'
import { startReceiver } from '../support/receiver.ts'
import { aNewContract, create, restClient } from '../support/rest.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'

const environment = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', MINT_API_KEY: 'mint_of_the_one_that_moves' }

describe('Webhooks after their data was moved', () => {
  /** A data folder whose webhook has delivered one event, and the receiver. */
  async function delivered() {
    const dataFolder = newFolder()
    const running = await startedMint({ dataFolder, environment })
    const call = restClient(running)
    const receiver = atEnd.stop(await startReceiver())
    receiver.state.secret = (await create(call, '/webhooks', { url: receiver.url })).secret
    await create(call, '/contracts', aNewContract())
    await waitFor(() => receiver.received.length === 1)
    await running.kill()
    return { dataFolder, receiver, ids: () => receiver.received.map(({ event }) => event.id) }
  }

  it('continue in a copy made by cli/mint backup, with the same secrets', async () => {
    const { dataFolder, receiver, ids } = await delivered()
    const copy = join(newFolder(), 'copy')
    await succeeds(['backup', copy], { DATA_DIR: dataFolder })
    const call = restClient(await startedMint({ dataFolder: copy, environment }))
    await create(call, '/contracts', aNewContract())
    await waitFor(() => ids().includes('mint/contracts/2'))
    assert.equal(receiver.state.unverified, 0)
  })

  it('continue after export and import with the same key, starting from their creation', async () => {
    const { dataFolder, receiver, ids } = await delivered()
    const [file, other] = [join(newFolder(), 'export'), join(newFolder(), 'other')]
    await succeeds(['export', file], { DATA_DIR: dataFolder })
    await succeeds(['import', file], { DATA_DIR: other })
    const verified = await mint(['verify'], { DATA_DIR: other })
    assert.equal(verified.exitCode, 0, verified.output)
    const WEBHOOK_KEY = readFileSync(join(dataFolder, 'webhook-key'), 'utf8').trim()
    const call = restClient(await startedMint({ dataFolder: other, environment: { ...environment, WEBHOOK_KEY } }))
    await create(call, '/contracts', aNewContract())
    await waitFor(() => ids().includes('mint/contracts/2'))
    assert.deepEqual(ids(), ['mint/contracts/1', 'mint/contracts/1', 'mint/contracts/2'])
    assert.equal(receiver.state.unverified, 0)
  })
})
