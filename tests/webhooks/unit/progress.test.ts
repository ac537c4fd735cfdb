import assert from 'node:assert/strict'
import { deliveriesIn } from '../../../shared/webhooks/progress.ts'

describe('The deliveries of a webhook', () => {
  it('are listed by start time, newest first, however long each took', () => {
    const chunks = [
      [{ at: 2 }, { at: 1 }],
      [{ at: 5 }, { at: 3 }, { at: 4 }],
    ]
    const stored = new Map(chunks.map((chunk, index) => [`deliveries/${index}`, JSON.stringify(chunk)]))
    assert.deepEqual(
      deliveriesIn(stored).map(({ at }) => at),
      [5, 4, 3, 2, 1],
    )
  })
})
