import assert from 'node:assert/strict'
import { createFairTurns } from '../../../gateway/http/fair-turns.ts'

/** Longer than any task here. */
const LONG = 60_000
const STAYING = new AbortController().signal

describe('Fair turns', () => {
  it('go round the callers, however many tasks each has, and run one task at a time', async () => {
    const turns = createFairTurns(LONG)
    const order: string[] = []
    let running = 0
    const ask = (caller: string, name: string) =>
      turns(
        caller,
        async () => {
          running += 1
          assert.equal(running, 1)
          order.push(name)
          await new Promise((resume) => setImmediate(resume))
          running -= 1
          return name
        },
        STAYING,
      )
    const many = ['a1', 'a2', 'a3', 'a4'].map((name) => ask('a', name))
    const few = ['b1', 'b2'].map((name) => ask('b', name))
    assert.deepEqual(await Promise.all([...many, ...few]), ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'])
    assert.deepEqual(order, ['a1', 'b1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('pass on after a task that fails', async () => {
    const turns = createFairTurns(LONG)
    const failed = turns('a', () => Promise.reject(new Error('away')), STAYING)
    const next = turns('a', async () => 'next', STAYING)
    await assert.rejects(failed, /away/)
    assert.equal(await next, 'next')
  })

  it('pass on while a task takes long', async () => {
    const turns = createFairTurns(1)
    void turns('a', () => new Promise(() => {}), STAYING)
    assert.equal(await turns('a', async () => 'next', STAYING), 'next')
  })

  it('are not waited for by those who have left, and pass on without them', async () => {
    const turns = createFairTurns(LONG)
    const leaving = new AbortController()
    const run: string[] = []
    const ask = (name: string, signal: AbortSignal) => turns('a', async () => run.push(name), signal)
    const early = ask('early', leaving.signal)
    leaving.abort(new Error('left'))
    await assert.rejects(early, /left/)
    await assert.rejects(ask('late', leaving.signal), /left/)
    await ask('next', STAYING)
    assert.deepEqual(run, ['next'])
  })
})
