import { RAW_ATTACKS, staysWithinMemoryUnder } from './raw-connections.ts'

describe('Mint stays within the memory of its container under', () => {
  staysWithinMemoryUnder(RAW_ATTACKS)
})
