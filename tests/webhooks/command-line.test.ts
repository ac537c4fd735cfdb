import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd } from '../support/cleanup.ts'
import { itemsOf, mint } from '../support/command-line.ts'
import { startedMint } from '../support/mint-process.ts'
import { startReceiver } from '../support/receiver.ts'
import { aNewContract, create, restClient } from '../support/rest.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'

const environment = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }

describe('cli/mint webhooks', () => {
  it('manages webhooks with and without a running Mint', async () => {
    const dataFolder = newFolder()
    const running = await startedMint({ dataFolder, environment })
    const { url, key, kill } = running
    const run = (...words: string[]) => mint(['webhooks', ...words], { DATA_DIR: dataFolder })
    const items = (...words: string[]) =>
      itemsOf<Record<string, string>>(['webhooks', ...words], { DATA_DIR: dataFolder })
    assert.match((await run('list')).output, /There are no webhooks/)
    const receiver = atEnd.stop(await startReceiver())
    const [made = {}] = await items(
      'create',
      receiver.url,
      '--types',
      'mint.contract.created.v1',
      '--description',
      'Mine',
    )
    const { id = '', secret = '', ...webhook } = made
    receiver.state.secret = secret
    assert.equal(statSync(join(dataFolder, 'webhook-key')).mode & 0o777, 0o600)
    const call = restClient({ url, key })
    assert.deepEqual((await call('GET', `/webhooks/${id}`)).body, { id, ...webhook })
    const [{ eventId } = {}] = await items('test', id)
    await create(call, '/contracts', aNewContract())
    await waitFor(() => receiver.received.length === 2)
    assert.deepEqual(receiver.received.map(({ event }) => event.type).sort(), [
      'mint.contract.created.v1',
      'mint.webhook.test.v1',
    ])
    await items('replay', id, '--since', '2026-01-01T00:00:00Z')
    await waitFor(() => receiver.received.length === 3)
    const deliveries = await waitFor(async () => {
      const found = await items('deliveries', id)
      return found.length === 3 ? found : undefined
    })
    assert.ok(deliveries.some((delivery) => delivery.eventId === eventId))
    assert.match((await run('deliveries', id)).output, /attempt 1: 204 after \d+ ms/)
    const [rotated = {}] = await items('rotate', id, '--grace', '60')
    assert.notEqual(rotated.secret, secret)
    assert.equal((await items('edit', id, '--types', 'all', '--description', ''))[0]?.description, '')
    assert.equal((await items('pause', id))[0]?.pausedReason, 'manual')
    await kill()

    assert.equal((await items('show', id))[0]?.pausedReason, 'manual')
    assert.equal((await items('resume', id))[0]?.pausedReason, null)
    assert.match((await run('list')).output, new RegExp(`${id} +${receiver.url}`))
    assert.match((await run('create', 'https://example.com/')).output, /secret +whsec_/)
    assert.match((await run('delete', id)).output, /is deleted/)
    const gone = await run('show', id)
    assert.deepEqual([gone.exitCode, /There is no webhook/.test(gone.errors)], [1, true])
    assert.equal(receiver.state.unverified, 0)
  })

  it('refuses http like REST, unless a setting of the running Mint allows it', async () => {
    const dataFolder = newFolder()
    const create = (more = {}) => mint(['webhooks', 'create', 'http://127.0.0.1/'], { DATA_DIR: dataFolder, ...more })
    const refusal =
      'url: Not a URL that Mint delivers to. Give a URL with https (http needs WEBHOOK_ALLOWED_NETWORKS), without user and password.\n'
    const { kill } = await startedMint({ dataFolder })
    assert.equal((await create(environment)).errors, refusal)
    await kill()
    assert.equal((await create()).errors, refusal)
    assert.equal((await create(environment)).exitCode, 0)
  })

  it('refuses invalid values, naming the arguments and options of the command line', async () => {
    const words = ['webhooks', 'create', 'ftp://example.com', '--types', 'mint.x.v1']
    const { exitCode, errors } = await mint(words, { DATA_DIR: newFolder() })
    assert.equal(exitCode, 2)
    assert.match(errors, /<url>: Not a URL[\s\S]*--types mint\.x\.v1: Not an allowed value/)
  })
})
