import { describeWithMemoryLimit } from '../support/memory-limit.ts'
import { RAW_ATTACKS, staysWithinMemoryUnder } from './raw-connections.ts'

describeWithMemoryLimit('Mint stays within the memory of its container under', () => {
  staysWithinMemoryUnder(RAW_ATTACKS)
})
