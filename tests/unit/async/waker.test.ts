import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createWaker } from '../../../shared/async/waker.ts'

const LONG_SLEEP = 60_000

describe('A waker', () => {
  // Time passes only when a test says so, so anything else that ends a sleep is a wake-up.
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  it('ends the current sleep', async () => {
    const waker = createWaker()
    const isOver = asleep(waker, LONG_SLEEP)
    assert.equal(await isOver(), false)
    waker.wake()
    assert.equal(await isOver(), true)
  })

  it('loses no wake-up between two sleeps', async () => {
    const waker = createWaker()
    waker.wake()
    assert.equal(await asleep(waker, LONG_SLEEP)(), true)
  })

  it('wakes by itself after the given time, every time', async () => {
    const waker = createWaker()
    for (let time = 0; time < 2; time++) {
      const isOver = asleep(waker, 20)
      mock.timers.tick(19)
      assert.equal(await isOver(), false)
      mock.timers.tick(1)
      assert.equal(await isOver(), true)
    }
  })

  it('merges several wake-ups into one', async () => {
    const waker = createWaker()
    waker.wake()
    waker.wake()
    assert.equal(await asleep(waker, LONG_SLEEP)(), true)
    assert.equal(await asleep(waker, LONG_SLEEP)(), false)
  })
})

/** Begins a sleep; returns a check of whether it is over, once everything that was due has happened. */
function asleep(waker: ReturnType<typeof createWaker>, milliseconds: number): () => Promise<boolean> {
  let isOver = false
  waker.sleep(milliseconds).then(() => {
    isOver = true
  })
  return async () => {
    await nextTurn()
    return isOver
  }
}
