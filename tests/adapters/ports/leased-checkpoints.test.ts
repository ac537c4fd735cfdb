import assert from 'node:assert/strict'
import { BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import type { Lease, LeasedCheckpoints } from '../../../shared/event-sourcing/ports/leased-checkpoints.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { waitFor } from '../../support/wait-for.ts'

const LONG_TTL = 60_000
const at = (position: number): Position => position as Position

describeOnDatabases('a leased checkpoint', (open) => {
  it('grants its lease to one holder at a time, independently of other names', async () => {
    const { database } = await open([])
    const { checkpoints } = database
    const first = await take(checkpoints, 'one')
    assert.equal(first.position, BEGINNING)
    assert.equal(await checkpoints.acquire('relay', 'two', LONG_TTL), undefined)
    assert.ok(await checkpoints.acquire('other', 'two', LONG_TTL))
    await first.release()
    assert.ok(await checkpoints.acquire('relay', 'two', LONG_TTL))
  })

  it('grants its lease to exactly one of many concurrent requests', async () => {
    const { database } = await open([])
    const leases = Array.from({ length: 20 }, (_, n) => database.checkpoints.acquire('relay', `holder ${n}`, LONG_TTL))
    assert.equal((await Promise.all(leases)).filter((lease) => lease !== undefined).length, 1)
  })

  it('only moves forward, and keeps its position for the next holder, even across a reopen', async () => {
    const under = await open([])
    const lease = await take(under.database.checkpoints, 'one')
    assert.equal(await lease.advance(at(10)), true)
    assert.equal(await lease.advance(at(7)), true)
    assert.equal(await lease.renew(), true)
    assert.equal(await under.database.checkpoints.read('relay'), 10)
    await lease.release()
    const again = await under.reopen([])
    assert.equal((await take(again.checkpoints, 'two')).position, 10)
    assert.equal(await again.checkpoints.read('never moved'), BEGINNING)
  })

  it('rejects a holder whose lease expired and was taken over, whatever its position', async () => {
    const { database } = await open([])
    const { checkpoints } = database
    const first = await take(checkpoints, 'one', 30)
    const second = await waitFor(() => checkpoints.acquire('relay', 'two', LONG_TTL), { what: 'the lease to run out' })
    assert.equal(await second.advance(at(5)), true)
    assert.equal(await first.advance(at(9)), false)
    assert.equal(await first.renew(), false)
    await first.release()
    assert.equal(await checkpoints.read('relay'), 5)
    assert.equal(await checkpoints.acquire('relay', 'three', LONG_TTL), undefined)
    assert.equal(await second.renew(), true)
  })

  it('keeps its holder while the lease is renewed in time', async () => {
    const { database } = await open([])
    const { checkpoints } = database
    const first = await take(checkpoints, 'one', 1_000)
    const end = Date.now() + 1_500
    while (Date.now() < end) {
      assert.equal(await first.renew(), true)
      assert.equal(await checkpoints.acquire('relay', 'two', LONG_TTL), undefined)
    }
  })

  it('stays free if a renewal arrives after the release', async () => {
    const { database } = await open([])
    const { checkpoints } = database
    const first = await take(checkpoints, 'one')
    await first.release()
    assert.deepEqual([await first.renew(), await first.advance(at(1))], [false, false])
    assert.equal((await take(checkpoints, 'two')).position, BEGINNING)
  })

  it('returns to the beginning when reset, and its holder loses the lease', async () => {
    const { database } = await open([])
    const { checkpoints } = database
    const lease = await take(checkpoints, 'one')
    await lease.advance(at(10))
    await checkpoints.reset('relay')
    assert.equal(await checkpoints.read('relay'), BEGINNING)
    assert.equal(await lease.advance(at(11)), false)
    assert.equal(await checkpoints.read('relay'), BEGINNING)
    assert.equal((await take(checkpoints, 'two')).position, BEGINNING)
  })
})

async function take(checkpoints: LeasedCheckpoints, holder: string, ttl = LONG_TTL): Promise<Lease> {
  const lease = await checkpoints.acquire('relay', holder, ttl)
  assert.ok(lease, `${holder} gets the lease`)
  return lease
}
