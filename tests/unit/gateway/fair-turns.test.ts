import assert from 'node:assert/strict'
import { createFairTurns } from '../../../gateway/http/fair-turns.ts'

describe('Fair turns', () => {
  it('go round the callers, however many tasks each has, and run one task at a time', async () => {
    const turns = createFairTurns()
    const order: string[] = []
    let running = 0
    const ask = (caller: string, name: string) =>
      turns(caller, async () => {
        running += 1
        assert.equal(running, 1)
        order.push(name)
        await new Promise((resume) => setImmediate(resume))
        running -= 1
        return name
      })
    const many = ['a1', 'a2', 'a3', 'a4'].map((name) => ask('a', name))
    const few = ['b1', 'b2'].map((name) => ask('b', name))
    assert.deepEqual(await Promise.all([...many, ...few]), ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'])
    assert.deepEqual(order, ['a1', 'b1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('pass on after a task that fails', async () => {
    const turns = createFairTurns()
    const failed = turns('a', () => Promise.reject(new Error('away')))
    const next = turns('a', async () => 'next')
    await assert.rejects(failed, /away/)
    assert.equal(await next, 'next')
  })
})
