import { describeWithMemoryLimit } from '../support/memory-limit.ts'
import { embeddedMints, HIGH_LIMITS } from './attacked-mint.ts'
import { FROM_MANY_ADDRESSES, KNOWN_ATTACKS, remaining } from './known-attacks.ts'
import { withstands } from './withstand.ts'

describeWithMemoryLimit('npm start in a container’s memory, with other callers still served, withstands', function () {
  this.timeout(180_000)
  withstands(embeddedMints, remaining(KNOWN_ATTACKS))

  describe('from many addresses,', () => {
    withstands(() => embeddedMints(HIGH_LIMITS), remaining(FROM_MANY_ADDRESSES))
  })
})
