import { describeWithMemoryLimit } from '../support/memory-limit.ts'
import { embeddedMints } from './attacked-mint.ts'
import { ATTACKS_ON_ADMIN, ATTACKS_WITH_KEY, ATTACKS_WITHOUT_KEY } from './known-attacks.ts'
import { withstands } from './withstand.ts'

describeWithMemoryLimit(
  'npm start in a container’s memory, where no caller takes what others need, withstands',
  function () {
    this.timeout(180_000)
    withstands(embeddedMints, { ...ATTACKS_WITH_KEY, ...ATTACKS_WITHOUT_KEY, ...ATTACKS_ON_ADMIN })
  },
)
