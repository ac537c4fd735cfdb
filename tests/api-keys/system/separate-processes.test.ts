import assert from 'node:assert/strict'
import { bothEngines, describeOn } from '../../support/engines.ts'
import type { PartProcess } from '../../support/part-process.ts'
import { restClient } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

describeOn(bothEngines(), 'API keys of separate processes', (mongoUrl) => {
  const urlOf = async (gateway: PartProcess) => `http://${await gateway.ready()}`

  it('are shared by all gateways, survive kill -9, and need no configured key once they exist', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const one = mint.start('gateway')
    const admin = restClient({ url: await urlOf(one), key: mint.key })
    const create = () => admin('POST', '/api-keys', { name: 'Admin', scopes: ['keys:admin'] })
    await waitFor(async () => (await admin('GET', '/api-keys')).status === 200)
    const { id, key } = (await create()).body
    await one.kill()

    const gateways = [1, 2].map(() => mint.start('gateway', { MINT_API_KEY: '' }))
    const urls = await Promise.all(gateways.map(urlOf))
    const statuses = (secret: string) =>
      Promise.all(urls.map(async (url) => (await restClient({ url, key: secret })('GET', '/api-keys')).status))
    await waitFor(async () => `${await statuses(key)}` === '200,200')
    assert.deepEqual(await statuses(mint.key), [401, 401])

    const [first = ''] = urls
    assert.equal((await restClient({ url: first, key })('DELETE', `/api-keys/${id}`)).status, 204)
    assert.equal((await statuses(key))[0], 401)
    await waitFor(async () => `${await statuses(key)}` === '401,401', { timeout: 5_000 })
  })
})
