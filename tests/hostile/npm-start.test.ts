import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { attackInMemory } from '../fuzz/attacks.ts'
import { describeWithMemoryLimit } from '../support/memory-limit.ts'
import { embeddedMints, HIGH_LIMITS } from './attacked-mint.ts'
import { FROM_MANY_ADDRESSES, KNOWN_ATTACKS, typical } from './known-attacks.ts'
import { withstands } from './withstand.ts'

describeWithMemoryLimit('npm start in a container’s memory, with other callers still served, withstands', function () {
  this.timeout(180_000)
  const mints = withstands(embeddedMints, typical(KNOWN_ATTACKS))

  describe('from many addresses,', () => {
    withstands(() => embeddedMints(HIGH_LIMITS), typical(FROM_MANY_ADDRESSES))
  })

  it('random attacks', async () => {
    const seed = randomInt(1_000_000)
    const { findings } = await attackInMemory({ seed, milliseconds: 8_000, mints: mints() })
    assert.deepEqual(findings, [], `npm run fuzz -- --attacks --seed ${seed} --minutes 0.13`)
  })
})
