import assert from 'node:assert/strict'
import { hashSecret } from '../../../shared/api-keys/secret.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { useKeys } from '../../support/key-usage.ts'
import { assertNoSecret } from '../../support/leaks.ts'
import { dumpDatabase } from '../../support/mongo-database.ts'
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
    await waitFor(async () => (await admin('GET', '/api-keys')).status === 200, { timeout: 15_000 })
    const { id, key } = (await create()).body
    await one.kill()

    const gateways = [1, 2].map(() => mint.start('gateway', { MINT_API_KEY: '' }))
    const urls = await Promise.all(gateways.map(urlOf))
    const statuses = (secret: string) =>
      Promise.all(urls.map(async (url) => (await restClient({ url, key: secret })('GET', '/api-keys')).status))
    await waitFor(async () => `${await statuses(key)}` === '200,200', { timeout: 15_000 })
    assert.deepEqual(await statuses(mint.key), [401, 401])

    const [first = ''] = urls
    assert.equal((await restClient({ url: first, key })('DELETE', `/api-keys/${id}`)).status, 204)
    assert.equal((await statuses(key))[0], 401)
    await waitFor(async () => `${await statuses(key)}` === '401,401', { timeout: 5_000 })
  }).timeout(60_000)

  it('leave no secret in a log, an answer, a metric or a database', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const traced = { LOG_LEVEL: 'trace' }
    const parts = [mint.start('contracts', traced), mint.start('businesses', traced), mint.start('gateway', traced)]
    const [url] = (await Promise.all(parts.map(urlOf))).slice(2)
    assert.ok(url)
    const ready = async () => (await fetch(`${url}/readyz`)).status === 200
    await waitFor(ready, { timeout: 20_000, what: 'all parts to be ready' })
    const { secrets, answers } = await useKeys({ url, key: mint.key })
    const dumps = new Map<string, string>()
    for (const part of parts) dumps.set(`metrics ${dumps.size}`, await metricsOf(part))
    await Promise.all(parts.map((part) => part.end()))
    for (const service of ['contracts', 'businesses', 'gateway']) {
      dumps.set(`database ${service}`, await dumpDatabase(mongoUrl, `${mint.namespace}_${service}`))
    }
    assert.ok(dumps.get('database gateway')?.includes(hashSecret(secrets[1] ?? '')), 'the dump shows what is kept')
    const logs = parts.map((part, index) => [`log ${index}`, part.log()] as const)
    assertNoSecret(new Map([...answers, ...dumps, ...logs]), secrets)
  }).timeout(60_000)
})

async function metricsOf(part: PartProcess): Promise<string> {
  const [, url = ''] = /"metrics":"([^"]+)"/.exec(part.log()) ?? []
  const text = await (await fetch(url)).text()
  assert.match(text, /^# HELP/m)
  return text
}
