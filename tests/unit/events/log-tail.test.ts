import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { createLogTail } from '../../../shared/events/log-tail.ts'
import { waitFor } from '../../support/wait-for.ts'

describe('The end of a log', () => {
  it('is reported to one caller in time, however many times another is waiting', async () => {
    let last = 0
    const tail = createLogTail(async () => last)
    const appending = setInterval(() => last++, 20)
    let isOver = false
    const others = Array.from({ length: 300 }, async () => {
      while (!isOver) await tail.beyond(last, { caller: 'another', milliseconds: 200 })
    })
    try {
      await new Promise((resolve) => setTimeout(resolve, 100))
      for (let turn = 0; turn < 5; turn++) {
        const before = last
        assert.ok(await tail.beyond(before, { caller: 'one', milliseconds: 5_000 }))
        assert.ok(last - before < 25, `${last - before} were appended meanwhile`)
      }
    } finally {
      isOver = true
      await Promise.all(others)
      clearInterval(appending)
    }
  })

  it('is reported to a resting caller as soon as its rest ends, even if nothing more is appended', async () => {
    let isAnswered = false
    // Like a service, which waits unless it has something new to report.
    const tail = createLogTail(async (milliseconds) => {
      if (isAnswered) await delay(Math.min(milliseconds, 3_000))
      isAnswered = true
      return 2
    })
    assert.deepEqual([tail.mustRest('one'), tail.mustRest('one')], [false, true])
    assert.ok(await tail.beyond(1, { caller: 'one', milliseconds: 2_000 }))
  })

  it('is reported at once to a caller that is behind it already, even while a read waits for more', async () => {
    let reads = 0
    const tail = createLogTail(async (milliseconds) => {
      if (++reads > 1) await delay(Math.min(milliseconds, 1_000))
      return 2
    })
    const another = tail.beyond(2, { caller: 'another', milliseconds: 800 })
    await waitFor(() => reads === 2)
    assert.ok(await tail.beyond(1, { caller: 'one', milliseconds: 500 }))
    assert.equal(await another, false)
  })
})
