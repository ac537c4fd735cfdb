import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createWaker } from '../../../shared/async/waker.ts'

const LONG = 60_000

describe('A waker', () => {
  // Time passes only where a test says so: whatever ends a sleep otherwise is a wake-up.
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  it('ends the sleep under way', async () => {
    const waker = createWaker()
    const isOver = asleep(waker, LONG)
    assert.equal(await isOver(), false)
    waker.wake()
    assert.equal(await isOver(), true)
  })

  it('loses no wake-up that comes between two sleeps', async () => {
    const waker = createWaker()
    waker.wake()
    assert.equal(await asleep(waker, LONG)(), true)
  })

  it('wakes by itself after the given time, and again', async () => {
    const waker = createWaker()
    for (let time = 0; time < 2; time++) {
      const isOver = asleep(waker, 20)
      mock.timers.tick(19)
      assert.equal(await isOver(), false)
      mock.timers.tick(1)
      assert.equal(await isOver(), true)
    }
  })

  it('takes many wake-ups for one', async () => {
    const waker = createWaker()
    waker.wake()
    waker.wake()
    assert.equal(await asleep(waker, LONG)(), true)
    assert.equal(await asleep(waker, LONG)(), false)
  })
})

/** Begins a sleep; answers how to find out whether it is over, once everything that was due has happened. */
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
