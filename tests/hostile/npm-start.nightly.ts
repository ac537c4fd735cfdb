import { describeWithMemoryLimit } from '../support/memory-limit.ts'
import { embeddedMints } from './attacked-mint.ts'
import {
  BODIES_WITHOUT_KEY,
  CALLS_WITHOUT_KEY,
  COSTLY_REQUESTS,
  LARGE_ANSWERS,
  ON_INTERNAL_PORTS,
  remaining,
} from './known-attacks.ts'
import { withstands } from './withstand.ts'

describeWithMemoryLimit('npm start in a container’s memory, with other callers still served, withstands', function () {
  this.timeout(180_000)
  const attacks = {
    ...LARGE_ANSWERS,
    ...COSTLY_REQUESTS,
    ...CALLS_WITHOUT_KEY,
    ...BODIES_WITHOUT_KEY,
    ...ON_INTERNAL_PORTS,
  }
  withstands(embeddedMints, remaining(attacks))
})
