import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Charge } from '../../../shared/budget/charge.ts'
import { createPool } from '../../../shared/budget/pool.ts'
import { forAll } from '../../support/for-all.ts'

const MEGABYTE = 2 ** 20
const LONG_TIMEOUT = 60_000
const memoryExceeded = { code: 'rate_limited' }

describe('A pool of memory', () => {
  it('charges anything larger than a share as a whole share', () => {
    const pool = createPool({ bytes: 10 * MEGABYTE, each: 4 * MEGABYTE })
    assert.ok(pool.of('a').take(100 * MEGABYTE))
    assert.equal(pool.held(), 4 * MEGABYTE)
  })

  it('makes a caller that exceeds its share wait until something is released', async () => {
    const pool = createPool({ bytes: 10 * MEGABYTE, each: 4 * MEGABYTE })
    const first = pool.of('a').take(4 * MEGABYTE)
    const second = pool.of('a').wait(MEGABYTE, LONG_TIMEOUT)
    first?.release()
    const charge = await second
    assert.equal(pool.held(), MEGABYTE)
    charge.release()
    charge.release()
    assert.equal(pool.held(), 0)
  })

  it('refuses a caller that waits too long, and forgets one that leaves', async () => {
    const pool = createPool({ bytes: 2 * MEGABYTE, each: MEGABYTE })
    pool.of('a').take(MEGABYTE)
    await assert.rejects(async () => pool.of('a').wait(1, 1), memoryExceeded)
    const leaving = new AbortController()
    const wait = async () => pool.of('a').wait(1, LONG_TIMEOUT, { leaving: () => leaving.signal })
    const waiting = wait()
    leaving.abort(new Error('left'))
    await assert.rejects(waiting, /left/)
    await assert.rejects(wait(), /left/)
    assert.equal(pool.refusals(), 1)
  })

  it('with thousands of callers forgets those that hold nothing, but nobody’s charges and waits', async () => {
    const pool = createPool({ bytes: 2.5 * MEGABYTE, each: MEGABYTE })
    const charge = pool.of('holding').take(MEGABYTE)
    const [other, idle] = [pool.of('other').take(MEGABYTE), pool.of('idle')]
    const waiting = pool.of('waiting').wait(MEGABYTE, LONG_TIMEOUT)
    for (let number = 0; number < 2_000; number++) pool.of(`caller ${number}`)
    assert.equal(pool.of('holding').take(1), undefined)
    other?.release()
    await waiting
    assert.equal(pool.of('waiting').take(1), undefined)
    charge?.release()
    assert.ok(idle.take(MEGABYTE))
    assert.equal(pool.of('idle').take(1), undefined)
  })

  it('serves the caller that holds least first, however long others have waited', async () => {
    const pool = createPool({ bytes: 8 * MEGABYTE, each: 6 * MEGABYTE })
    const first = pool.of('a').take(3 * MEGABYTE)
    const ofB = [1, 2].map(() => pool.of('b').take(2 * MEGABYTE))
    const order: string[] = []
    const waiting = ['a', 'b', 'c'].map(async (name) => {
      await pool.of(name).wait(2 * MEGABYTE, LONG_TIMEOUT)
      order.push(name)
    })
    for (const charge of [first, ...ofB]) {
      charge?.release()
      await new Promise((resume) => setImmediate(resume))
    }
    await Promise.all(waiting)
    assert.deepEqual(order, ['a', 'c', 'b'])
  })

  it('lets in those who fit once a caller that blocked them leaves, or has waited too long', async () => {
    const pool = createPool({ bytes: 8 * MEGABYTE, each: 6 * MEGABYTE })
    pool.of('a').take(5 * MEGABYTE)
    const leaving = new AbortController()
    const blocking = async (milliseconds: number) =>
      pool.of('b').wait(4 * MEGABYTE, milliseconds, { leaving: () => leaving.signal })
    const late = blocking(10)
    const first = pool.of('c').wait(MEGABYTE, LONG_TIMEOUT)
    await assert.rejects(late, memoryExceeded)
    await first
    const left = blocking(LONG_TIMEOUT)
    const second = pool.of('d').wait(MEGABYTE, LONG_TIMEOUT)
    leaving.abort(new Error('left'))
    await assert.rejects(left, /left/)
    await second
  })

  it('serves a caller’s own in order: a long one is not overtaken by those that fit sooner', async () => {
    const pool = createPool({ bytes: 8 * MEGABYTE, each: 4 * MEGABYTE })
    const lists = [1, 2, 3, 4].map(() => pool.of('a').take(MEGABYTE))
    const order: string[] = []
    const waitFor = async (what: string, bytes: number) => {
      const charge = await pool.of('a').wait(bytes, LONG_TIMEOUT)
      order.push(what)
      charge.release()
    }
    const waiting = [waitFor('report', 2 * MEGABYTE), waitFor('list', MEGABYTE)]
    for (const charge of lists) {
      charge?.release()
      await new Promise((resume) => setImmediate(resume))
    }
    await Promise.all(waiting)
    assert.deepEqual(order, ['report', 'list'])
  })

  it('never makes callers that need little wait for callers that need much', () => {
    const pool = createPool({ bytes: 8 * MEGABYTE, each: 8 * MEGABYTE })
    pool.of('a').take(7 * MEGABYTE)
    Promise.resolve(pool.of('b').wait(4 * MEGABYTE, 1)).catch(() => undefined)
    assert.ok(pool.of('c').take(10_000))
  })

  it('takes room from the caller that holds most, oldest first, but not below what the newcomer then holds', () => {
    const pool = createPool({ bytes: 8 * MEGABYTE, each: 5 * MEGABYTE })
    const revoked: string[] = []
    const begin = (name: string, what: string) => pool.of(name).take(MEGABYTE, () => revoked.push(what))
    for (const what of ['a1', 'a2', 'a3', 'a4', 'a5']) begin('a', what)
    for (const what of ['b1', 'b2']) begin('b', what)
    assert.ok(pool.of('c').take(MEGABYTE))
    assert.deepEqual(revoked, ['a1'])
    for (const _ of [1, 2, 3]) pool.of('c').take(MEGABYTE)
    assert.ok(!revoked.includes('b1'))
    assert.ok(pool.held() <= 8 * MEGABYTE)
  })

  it('never takes back what is kept', () => {
    const pool = createPool({ bytes: 8 * MEGABYTE, each: 8 * MEGABYTE })
    const revoked: string[] = []
    for (const what of ['kept', 'given up', 'too'])
      pool
        .of('a')
        .take(2 * MEGABYTE, () => revoked.push(what))
        ?.[what === 'kept' ? 'keep' : 'resize'](2 * MEGABYTE)
    assert.ok(pool.of('b').take(2 * MEGABYTE))
    assert.deepEqual(revoked, ['given up'])
  })

  it('keeps its sums correct whatever happens', () => {
    const names = fc.constantFrom('a', 'b', 'c')
    const steps = fc.array(fc.record({ name: names, bytes: fc.nat(4 * MEGABYTE), end: fc.nat(9) }), { maxLength: 60 })
    forAll([steps], (all) => {
      const pool = createPool({ bytes: 8 * MEGABYTE, each: 5 * MEGABYTE })
      const open = new Map<Charge, number>()
      for (const { name, bytes, end } of all) {
        const charge: Charge | undefined = pool.of(name).take(bytes, () => charge && open.delete(charge))
        if (charge) open.set(charge, bytes)
        const [one] = [...open.keys()].slice(end)
        if (one && end % 2 === 0 && open.delete(one)) one.release()
        else if (one?.resize(bytes)) open.set(one, bytes)
        assert.equal(
          pool.held(),
          [...open.values()].reduce((sum, held) => sum + held, 0),
        )
        assert.ok(pool.held() <= 8 * MEGABYTE)
      }
      for (const one of open.keys()) one.release()
      assert.equal(pool.held(), 0)
    })
  })
})
