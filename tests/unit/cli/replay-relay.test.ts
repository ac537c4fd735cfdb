import assert from 'node:assert/strict'
import type { Parts } from '../../../cli/admin/parts.ts'
import { replayRelay } from '../../../cli/admin/replay-relay.ts'

describe('A replay of a relay', () => {
  it('waits until everything is published, also if the clock is set meanwhile', async () => {
    const realNow = Date.now
    let [published, now] = [0, realNow()]
    const businesses = {
      inspection: { head: async () => 3 },
      checkpoints: { reset: async () => undefined, read: async () => (published += 1) },
    }
    const parts = { businesses, relays: ['businesses'], relayRuns: true } as unknown as Parts
    Date.now = () => (now += 3_600_000)
    try {
      const replayed = await Array.fromAsync(replayRelay(parts, {}, () => undefined))
      assert.deepEqual(replayed, [{ part: 'businesses', events: 3, published: true }])
    } finally {
      Date.now = realNow
    }
  })
})
