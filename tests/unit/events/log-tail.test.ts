import assert from 'node:assert/strict'
import { createLogTail } from '../../../shared/events/log-tail.ts'

describe('The end of a log', () => {
  it('is told to one caller in time, however many waits another has', async () => {
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
        const begun = performance.now()
        assert.ok(await tail.beyond(last, { caller: 'one', milliseconds: 5_000 }))
        assert.ok(performance.now() - begun < 500, `${performance.now() - begun} ms`)
      }
    } finally {
      isOver = true
      await Promise.all(others)
      clearInterval(appending)
    }
  })
})
