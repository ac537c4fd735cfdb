import assert from 'node:assert/strict'
import { type MintProcess, startMint } from '../../support/mint-process.ts'
import { aNewContract, type Rest, type RestAnswer, restClient } from '../../support/rest.ts'
import { describeWithSmallDisks, type SmallDisk, smallDisk } from '../../support/small-disk.ts'
import { waitFor } from '../../support/wait-for.ts'

const KEY = 'mint_a-disk-that-is-too-small'

describeWithSmallDisks('A Mint whose disk', () => {
  let disk: SmallDisk
  let mint: MintProcess
  let call: Rest

  beforeEach(async () => {
    disk = smallDisk(24)
    await start()
  })
  afterEach(async () => {
    await mint?.kill()
    disk.remove()
  })

  async function start(): Promise<void> {
    const environment = { MINT_API_KEY: KEY }
    mint = await startMint({ dataFolder: disk.path, environment })
    call = restClient(mint)
  }

  /** Long notes, so that every write needs more disk space. */
  const create = (headers = {}): Promise<RestAnswer> =>
    call('POST', '/contracts', aNewContract({ notes: 'x'.repeat(10_000) }), headers)

  /** Writes until a write is refused; returns the refusal. */
  const createUntilRefused = (): Promise<RestAnswer> =>
    waitFor(async () => [await create()].find(({ status }) => status !== 201), { every: 0 })

  /** Waits until /readyz, which checks once a second, gives this answer. */
  const untilReadiness = (status: number): Promise<RestAnswer> =>
    waitFor(async () => [await call('GET', '/readyz')].find((answer) => answer.status === status), {
      every: 100,
      what: `/readyz to answer ${status}`,
    })

  async function assertNothingHalfWritten(acknowledged: number): Promise<void> {
    const { body } = await call('GET', '/contracts?limit=100')
    assert.equal(body.total, acknowledged)
    assert.equal(body.contracts.length, Math.min(100, acknowledged))
    assert.equal((await call('GET', '/reports/contracts')).body.sums.count, acknowledged)
  }

  it('is full keeps serving reads, refuses writes, and accepts them again once there is room', async () => {
    const before = await create()
    disk.fill()
    const refused = await createUntilRefused()
    assert.deepEqual([refused.status, refused.body.code], [503, 'unavailable'])
    assert.ok(refused.headers.get('retry-after'))
    const { total } = (await call('GET', '/contracts')).body
    const key = { 'idempotency-key': 'once-more' }
    assert.equal((await create(key)).status, 503)
    assert.equal((await call('PATCH', `/contracts/${before.body.id}`, { notes: 'y'.repeat(10_000) })).status, 503)
    assert.deepEqual((await call('GET', `/contracts/${before.body.id}`)).body, before.body)
    await assertNothingHalfWritten(total)
    await untilReadiness(503)

    disk.makeRoom()
    await untilReadiness(200)
    const after = await waitFor(async () => [await create(key)].find(({ status }) => status === 201), {
      what: 'a write to succeed',
    })
    assert.deepEqual((await call('GET', `/contracts/${after.body.id}`)).body, after.body)
    await assertNothingHalfWritten(total + 1)
    mint.signal('SIGTERM')
    assert.equal((await mint.ended).exitCode, 0)
    await start()
    await assertNothingHalfWritten(total + 1)
  })

  it('turned read-only keeps serving reads and refuses writes', async () => {
    const before = await create()
    disk.failToReadOnly()
    const refused = await create()
    assert.deepEqual([refused.status, refused.body.code], [503, 'unavailable'])
    assert.equal((await call('POST', '/businesses', { legalName: 'Harbour' })).status, 503)
    assert.deepEqual((await call('GET', `/contracts/${before.body.id}`)).body, before.body)
    await assertNothingHalfWritten(1)
    assert.deepEqual((await untilReadiness(503)).body.missing, ['contracts', 'businesses', 'keys'])
  })
})
