import assert from 'node:assert/strict'
import { createWaker } from '../../../shared/async/waker.ts'

const LONG = 60_000

describe('A waker', () => {
  it('ends the sleep under way', async () => {
    const waker = createWaker()
    const sleeping = waker.sleep(LONG)
    waker.wake()
    await sleeping
  })

  it('loses no wake-up that comes between two sleeps', async () => {
    const waker = createWaker()
    waker.wake()
    await waker.sleep(LONG)
  })

  it('wakes by itself after the given time, and again', async () => {
    const waker = createWaker()
    const started = performance.now()
    await waker.sleep(20)
    await waker.sleep(20)
    assert.ok(performance.now() - started >= 38)
  })

  it('takes many wake-ups for one', async () => {
    const waker = createWaker()
    waker.wake()
    waker.wake()
    await waker.sleep(LONG)
    let slept = false
    const sleeping = waker.sleep(10).then(() => {
      slept = true
    })
    await Promise.resolve()
    assert.equal(slept, false)
    await sleeping
  })
})
