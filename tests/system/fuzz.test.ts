import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { fuzz } from '../fuzz/fuzz.ts'

describe('Random and mutated requests over REST and gRPC', () => {
  it('cause no fault, leak no secret, change nothing without a key, and break no other caller’s requests', async () => {
    const seed = randomInt(1_000_000)
    const { findings } = await fuzz({ seed, milliseconds: 2_000 })
    assert.deepEqual(findings, [], `npm run fuzz -- --seed ${seed} --minutes 0.04`)
  }).timeout(100_000)
})
