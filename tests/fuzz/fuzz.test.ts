import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { embeddedMints } from '../hostile/attacked-mint.ts'
import { describeWithMemoryLimit } from '../support/memory-limit.ts'
import { attackInMemory } from './attacks.ts'
import { fuzz } from './fuzz.ts'

describe('Random and mutated requests over REST and gRPC', () => {
  it('cause no fault, leak no secret, change nothing without a key, and fail no other caller', async () => {
    const seed = randomInt(1_000_000)
    const { findings } = await fuzz({ seed, milliseconds: 4_000 })
    assert.deepEqual(findings, [], `npm run fuzz -- --seed ${seed} --minutes 0.07`)
  }).timeout(100_000)
})

describeWithMemoryLimit('Random attacks on the memory of a container', () => {
  it('kill no process, and leave no other caller without an answer', async () => {
    const seed = randomInt(1_000_000)
    const mints = await embeddedMints()
    const { findings } = await attackInMemory({ seed, milliseconds: 8_000, mints }).finally(mints.remove)
    assert.deepEqual(findings, [], `npm run fuzz -- --attacks --seed ${seed} --minutes 0.13`)
  }).timeout(120_000)
})
