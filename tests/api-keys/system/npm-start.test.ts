import assert from 'node:assert/strict'
import { useKeys } from '../../support/key-usage.ts'
import { assertNoSecret, filesIn } from '../../support/leaks.ts'
import { startedMint } from '../../support/mint-process.ts'
import { restClient } from '../../support/rest.ts'
import { newFolder } from '../../support/temporary-folder.ts'

describe('API keys of a running Mint', () => {
  it('survive a kill right after the answer, with all their changes', async () => {
    const dataFolder = newFolder()
    const mint = await startedMint({ dataFolder })
    const admin = restClient(mint)
    const made = async () => (await admin('POST', '/api-keys', { name: 'x', scopes: ['contracts:read'] })).body
    const [rotated, revoked] = [await made(), await made()]
    const second = (await admin('POST', `/api-keys/${rotated.id}/rotate`)).body.key
    await admin('DELETE', `/api-keys/${revoked.id}`)
    const last = (await made()).key
    await mint.kill()

    const again = await startedMint({ dataFolder })
    const statusWith = async (key: string) => (await restClient({ url: again.url, key })('GET', '/contracts')).status
    const secrets = [mint.key, rotated.key, second, revoked.key, last]
    assert.deepEqual(await Promise.all(secrets.map(statusWith)), [200, 401, 200, 401, 200])
  })

  it('leave no secret in a log, an answer, a metric or a file', async () => {
    const dataFolder = newFolder()
    const mint = await startedMint({ dataFolder, environment: { LOG_LEVEL: 'trace', GATEWAY_TRANSPORT: 'grpc' } })
    const { secrets, answers } = await useKeys(mint)
    const metrics = await (await fetch(mint.metricsUrl)).text()
    const whileRunning = filesIn(dataFolder)
    mint.signal('SIGTERM')
    const { output, errors } = await mint.ended
    assert.ok(errors.includes('"level":20'), 'it logs each request')
    assert.match(metrics, /mint_/)
    const withoutFirst = output.replaceAll(mint.key, '')
    assertNoSecret(
      new Map([
        ...answers,
        ...whileRunning,
        ...filesIn(dataFolder),
        ['log', errors],
        ['metrics', metrics],
        ['output', withoutFirst],
      ]),
      secrets,
    )
  })
})
