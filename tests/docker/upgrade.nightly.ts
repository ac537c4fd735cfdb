import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type ComposedMint, composedMint } from '../support/compose.ts'
import { describeOn } from '../support/engines.ts'
import { restClient } from '../support/rest.ts'
import { proxyProgram, type ReverseProxy, startNginx } from '../support/reverse-proxy.ts'
import { startSteadyLoad } from '../support/steady-load.ts'
import { waitFor } from '../support/wait-for.ts'

const REPLICAS = { businesses: 1, contracts: 2, gateway: 2 } as const
type Service = keyof typeof REPLICAS
const SERVICES = Object.keys(REPLICAS) as Service[]

describeOn(proxyProgram('nginx'), 'cli/upgrade-compose behind nginx', (nginx) => {
  let mint: ComposedMint
  let proxy: ReverseProxy

  before(async function () {
    this.timeout(400_000)
    const settings = Object.entries(REPLICAS).map(([service, count]) => [
      `${service.toUpperCase()}_REPLICAS`,
      `${count}`,
    ])
    mint = await composedMint({ gateways: REPLICAS.gateway, settings: Object.fromEntries(settings) })
    await mint.build()
    await mint.up()
    proxy = await startNginx(nginx, mint.ports)
  })
  after(async () => {
    await proxy?.stop()
    await mint.remove()
  })

  it('replaces every process under a steady load without failing a request or losing a record', async function () {
    this.timeout(400_000)
    const before = await containersOf(mint)
    const newer = await mint.buildOn('ENV MINT_TEST_IMAGE=newer')
    const clientId = randomUUID()
    const load = startSteadyLoad(proxy, mint.key, clientId)
    try {
      await moreAnswers(load, 100)
      await mint.upgrade({ MINT_TAG: newer })
      await moreAnswers(load, 100)
    } finally {
      await load.finish()
    }
    const { sent, created, slowest } = await load.finish()
    const { failures } = load
    console.log(`    during the upgrade ${failures.length} of ${sent} requests failed; the slowest took ${slowest} ms`)

    assert.deepEqual(failures, [])
    const [url = ''] = await mint.gateways()
    const call = restClient({ url, key: mint.key })
    for (const [path, body] of created) assert.deepEqual((await call('GET', path)).body, body)
    assert.equal((await call('GET', `/contracts?clientId=${clientId}&limit=1`)).body.total, created.size)
    const after = await containersOf(mint)
    for (const service of SERVICES) {
      assert.equal(after[service].length, REPLICAS[service], service)
      assert.deepEqual(
        after[service].filter((container) => before[service].includes(container)),
        [],
      )
      for (const container of after[service]) {
        assert.equal(await mint.inspect(container, '{{.Config.Image}}'), `mint:${newer}`)
      }
    }
  })

  it('leaves `docker compose up` nothing to do: it removes no replica', async function () {
    this.timeout(120_000)
    const before = await containersOf(mint)
    await mint.up()
    assert.deepEqual(await containersOf(mint), before)
  })

  it('keeps the old processes running if the new ones can’t start', async function () {
    this.timeout(120_000)
    const before = await containersOf(mint)
    const broken = await mint.buildOn('ENV BUSINESSES_PORT=none')
    await assert.rejects(mint.upgrade({ MINT_TAG: broken }), /businesses: the new container did not become healthy/)
    assert.deepEqual(await containersOf(mint), before)
  })
})

async function containersOf(mint: ComposedMint): Promise<Record<Service, string[]>> {
  const entries = SERVICES.map(async (service) => [service, (await mint.containers(service)).sort()] as const)
  return Object.fromEntries(await Promise.all(entries)) as Record<Service, string[]>
}

async function moreAnswers(load: ReturnType<typeof startSteadyLoad>, count: number): Promise<void> {
  const reached = load.answered() + count
  const what = 'answers under the load'
  await waitFor(() => load.answered() > reached, { timeout: 60_000, what }).catch((error) => {
    throw new Error(load.failures.slice(0, 5).join('\n'), { cause: error })
  })
}
