import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { attackInMemory } from '../fuzz/attacks.ts'
import { describeWithMemoryLimit } from '../support/memory-limit.ts'
import { embeddedMints } from './attacked-mint.ts'

describeWithMemoryLimit('Random attacks on the memory of a container', () => {
  it('kill no process, and leave every other caller’s requests answered', async () => {
    const seed = randomInt(1_000_000)
    const mints = await embeddedMints()
    const { findings } = await attackInMemory({ seed, milliseconds: 8_000, mints }).finally(mints.remove)
    assert.deepEqual(findings, [], `npm run fuzz -- --attacks --seed ${seed} --minutes 0.13`)
  }).timeout(120_000)
})
