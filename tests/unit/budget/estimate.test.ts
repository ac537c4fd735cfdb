import assert from 'node:assert/strict'
import { createEstimate, makeWithin } from '../../../shared/budget/estimate.ts'
import { createPool } from '../../../shared/budget/pool.ts'

const making = { milliseconds: 20, bytesOf: (text: string) => text.length, isRepeatable: true }

describe('Something of unknown size', () => {
  it('is charged twice the estimate while it is made, and its size from then on', async () => {
    const pool = createPool({ bytes: 1_000_000, each: 500_000 })
    const estimate = createEstimate(1_000)
    let during = 0
    const make = async () => {
      during = pool.held()
      return 'x'.repeat(300)
    }
    const { charge } = await makeWithin({ ...making, share: pool.of('a'), estimate, make })
    assert.deepEqual([during, pool.held()], [2_000, 300])
    charge.release()
    assert.equal(pool.held(), 0)
  })

  it('is dropped if there is no room for it, and made again when there is; later ones wait before they are made', async () => {
    const pool = createPool({ bytes: 1_000_000, each: 500_000 })
    const share = pool.of('a')
    const estimate = createEstimate(1_000)
    let made = 0
    const make = async () => {
      made += 1
      return 'x'.repeat(200_000)
    }
    const others = share.take(400_000)
    const waiting = makeWithin({ ...making, share, estimate, make, milliseconds: 60_000 })
    await new Promise((resume) => setImmediate(resume))
    others?.release()
    await waiting
    assert.equal(made, 2)
    await assert.rejects(makeWithin({ ...making, share, estimate, make }), { code: 'rate_limited' })
    assert.equal(made, 2)
  })

  it('is made once if it must not be made again', async () => {
    const pool = createPool({ bytes: 1_000_000, each: 500_000 })
    pool.of('a').take(490_000)
    const make = async () => 'x'.repeat(200_000)
    const estimate = createEstimate(1_000)
    const { made } = await makeWithin({ ...making, share: pool.of('a'), estimate, make, isRepeatable: false })
    assert.equal(made.length, 200_000)
  })

  it('is not made again once it was given up for others', async () => {
    const pool = createPool({ bytes: 1_000_000, each: 1_000_000 })
    let [made, given] = [0, 0]
    const make = async () => {
      made += 1
      assert.ok(pool.of('b').take(200_000))
      return 'x'.repeat(200_000)
    }
    pool.of('a').take(500_000)
    const estimate = createEstimate(100_000)
    const revoke = () => given++
    const { charge } = await makeWithin({ ...making, share: pool.of('a'), estimate, make, revoke })
    charge.release()
    assert.deepEqual([made, given, pool.held()], [1, 1, 700_000])
  })

  it('is charged nothing after it failed', async () => {
    const pool = createPool({ bytes: 1_000_000, each: 500_000 })
    const make = () => Promise.reject(new Error('away'))
    await assert.rejects(makeWithin({ ...making, share: pool.of('a'), estimate: createEstimate(1), make }), /away/)
    assert.equal(pool.held(), 0)
  })
})
