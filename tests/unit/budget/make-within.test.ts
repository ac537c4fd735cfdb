import assert from 'node:assert/strict'
import { bytesOfPage, makeWithin } from '../../../shared/budget/make-within.ts'
import { createPool } from '../../../shared/budget/pool.ts'

const making = { milliseconds: 20, bytesOf: (text: string) => text.length }
const newPool = () => createPool({ bytes: 10_000_000, each: 1_000_000 })

describe('A result of unknown size', () => {
  it('is charged twice its maximum size while it is made, and its actual size from then on', async () => {
    const pool = newPool()
    let during = 0
    const make = async () => {
      during = pool.held()
      return 'x'.repeat(300)
    }
    const { charge } = await makeWithin({ ...making, share: pool.of('a'), maxBytes: 1_000, make })
    assert.deepEqual([during, pool.held()], [2_000, 300])
    charge.release()
    assert.equal(pool.held(), 0)
  })

  it('is as large as the longest page if a list has no limit, which is 0 in a message', () => {
    assert.equal(bytesOfPage({ limit: 0 }), bytesOfPage({ limit: 100 }))
    assert.equal(bytesOfPage({}), bytesOfPage({ limit: 1 }))
  })

  it('is not made before there is room for its maximum size, however many callers ask concurrently', async () => {
    const pool = newPool()
    let made = 0
    const make = async () => {
      made += 1
      return 'x'.repeat(200_000)
    }
    const asked = Array.from({ length: 20 }, () =>
      makeWithin({ ...making, share: pool.of('a'), maxBytes: 200_000, make }),
    )
    const outcomes = await Promise.allSettled(asked)
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, made)
    assert.ok(made < 5, `${made} were made`)
    assert.ok(pool.held() <= 1_000_000)
  })

  it('is charged nothing once making it has failed', async () => {
    const pool = newPool()
    const make = () => Promise.reject(new Error('away'))
    await assert.rejects(makeWithin({ ...making, share: pool.of('a'), maxBytes: 1, make }), /away/)
    assert.equal(pool.held(), 0)
  })
})
