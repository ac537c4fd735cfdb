import { describeWithMemoryLimit } from '../support/memory-limit.ts'
import { embeddedMints } from './attacked-mint.ts'
import { KNOWN_ATTACKS, remaining } from './known-attacks.ts'
import { withstands } from './withstand.ts'

describeWithMemoryLimit('npm start in a container’s memory, with other callers still served, withstands', function () {
  this.timeout(180_000)
  withstands(embeddedMints, remaining(KNOWN_ATTACKS))
})
