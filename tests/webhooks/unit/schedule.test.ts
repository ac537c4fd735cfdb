import assert from 'node:assert/strict'
import { DAY, pauseAfter } from '../../../gateway/webhooks/schedule.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND

describe('Attempts to deliver an event', () => {
  it('are repeated after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, and then every 10 h', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 100].map((attempt) => pauseAfter({ attempt, random: 0.5 }) / SECOND)
    assert.deepEqual(pauses, [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 36_000, 36_000])
  })

  it('have 10% jitter', () => {
    assert.deepEqual(
      [0, 1].map((random) => pauseAfter({ attempt: 2, random })),
      [54 * SECOND, 66 * SECOND],
    )
  })

  it('honour the receiver’s Retry-After, up to a day, but never come earlier than scheduled', () => {
    const pause = (retryAfter: number) => pauseAfter({ attempt: 2, retryAfter, random: 0.5 })
    assert.deepEqual([1, HOUR, 3 * DAY].map(pause), [60 * SECOND, HOUR, DAY])
  })
})
