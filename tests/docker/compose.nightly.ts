import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type ComposedMint, composedMint, docker } from '../support/compose.ts'
import { startPersistentLoad } from '../support/persistent-load.ts'
import { aNewContract, create, type Rest, restClient } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

describe('docker compose up --wait', function () {
  this.timeout(180_000)
  let mint: ComposedMint
  let call: Rest

  before(async function () {
    this.timeout(400_000)
    mint = await composedMint({ gateways: 2 })
    await mint.build()
    const begun = performance.now()
    await mint.up()
    console.log(`    docker compose up --wait, images built: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    call = await firstGateway(mint)
  })
  // Afterwards, the containers and their logs are gone.
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await mint.printErrors()
  })
  after(() => mint.remove())

  it('keeps every acknowledged write exactly once through kill -9 of containers', async () => {
    const clientId = randomUUID()
    const load = startPersistentLoad(call, 8, clientId)
    try {
      for (const service of ['contracts', 'mongo', 'kafka', 'businesses']) {
        const reached = load.created.size + 100
        await waitFor(() => load.created.size > reached, { timeout: 60_000, what: `writes before ${service} dies` })
        await crashAndSeeItRestart(mint, service)
      }
      const reached = load.created.size + 100
      await waitFor(() => load.created.size > reached, { timeout: 60_000, what: 'writes after the last restart' })
    } finally {
      await load.finish()
    }
    for (const [path, body] of load.created) assert.deepEqual((await call('GET', path)).body, body)
    const ofKind = (kind: string): number => [...load.created.keys()].filter((path) => path.startsWith(kind)).length
    const totals = await Promise.all([`/contracts?clientId=${clientId}`, `/businesses?search=${clientId}`].map(total))
    assert.deepEqual(totals, [ofKind('/contracts'), ofKind('/businesses')])
    await waitFor(async () => (await total(`/clients?search=${clientId}`)) === ofKind('/businesses'), {
      timeout: 60_000,
      what: 'one Client for each business',
    })
  })

  it('still passes `mint verify` in a container', async () => {
    const output = await docker(['compose', 'run', '--rm', '-T', 'mint', 'verify'], mint.settings)
    assert.match(output, /^\d+ events of \d+ records checked: all is well\.$/m)
  })

  it('answers 503 within the deadline without MongoDB, keeps working without Kafka, and recovers by itself', async () => {
    const [kafka = ''] = await mint.containers('kafka')
    const [mongo = ''] = await mint.containers('mongo')
    await mint.kill(kafka)
    const kept = await create(call, '/businesses', { legalName: 'Made while Kafka is away' })
    await mint.kill(mongo)
    const begun = Date.now()
    const refused = await call('POST', '/contracts', aNewContract())
    assert.equal(refused.status, 503)
    assert.ok(refused.headers.get('retry-after'))
    assert.ok(Date.now() - begun < 7_000, 'answered within the deadline')

    await mint.revive(mongo)
    const path = `/businesses/${kept.id}`
    await waitFor(async () => (await call('GET', path)).status === 200, { timeout: 60_000, what: 'MongoDB to be back' })
    assert.deepEqual((await call('GET', path)).body, kept)
    await mint.revive(kafka)
    await waitFor(async () => (await total('/clients?search=Made while Kafka is away')) === 1, {
      timeout: 60_000,
      what: 'the Client of the business',
    })
  })

  it('spreads calls over the replicas of each service, through two gateways', async () => {
    const contract = await create(call, '/contracts', aNewContract({ notes: 'n'.repeat(10_000) }))
    const business = await create(call, '/businesses', { legalName: 'b'.repeat(300), operatedAs: 'o'.repeat(300) })
    await mint.up('--no-recreate', '--scale=gateway=2', '--scale=contracts=3', '--scale=businesses=2')
    const urls = await mint.gateways()
    assert.equal(urls.length, 2)
    const calls = urls.map((url) => restClient({ url, key: mint.key }))

    for (const [path, service, replicas] of [
      [`/contracts/${contract.id}`, 'contracts', 3],
      [`/businesses/${business.id}`, 'businesses', 2],
    ] as const) {
      const containers = await mint.containers(service)
      assert.equal(containers.length, replicas)
      // A running gateway finds new replicas when its connections reach their age limit of 30 s.
      for (const read of calls) {
        await waitFor(async () => isEven(await sentWhileReading(mint, containers, read, path)), {
          timeout: 60_000,
          what: `calls to be spread over ${service}`,
        })
      }
    }
  })

  const total = async (path: string): Promise<number> => (await call('GET', path)).body.total
})

async function firstGateway(mint: ComposedMint): Promise<Rest> {
  const [url = ''] = await mint.gateways()
  return restClient({ url, key: mint.key })
}

async function crashAndSeeItRestart(mint: ComposedMint, service: string): Promise<void> {
  const [container = ''] = await mint.containers(service)
  const restarts = await mint.inspect(container, '{{.RestartCount}}')
  await mint.crash(container)
  await waitFor(async () => (await mint.inspect(container, '{{.RestartCount}}')) !== restarts, {
    timeout: 30_000,
    what: `Docker to restart ${service}`,
  })
}

/** How many bytes each container sent while a record was read 300 times. */
async function sentWhileReading(
  mint: ComposedMint,
  containers: readonly string[],
  call: Rest,
  path: string,
): Promise<number[]> {
  const before = await Promise.all(containers.map((container) => mint.bytesSent(container)))
  for (let reads = 0; reads < 30; reads++) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => call('GET', path)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  }
  const after = await Promise.all(containers.map((container) => mint.bytesSent(container)))
  return after.map((bytes, index) => bytes - (before[index] ?? 0))
}

/** Whether each has at least half of an equal share. */
function isEven(shares: readonly number[]): boolean {
  const sum = shares.reduce((one, other) => one + other, 0)
  return shares.every((share) => share > sum / shares.length / 2)
}
