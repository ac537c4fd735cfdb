import { describeOn, kafkaEngine, mongoEngine } from '../support/engines.ts'
import { describeWithMemoryLimit } from '../support/memory-limit.ts'
import { separateMints } from './attacked-mint.ts'
import { LARGE_ANSWERS, typical } from './known-attacks.ts'
import { withstands } from './withstand.ts'

describeOn(mongoEngine(), 'Separate processes,', (mongoUrl) => {
  describeOn(kafkaEngine(), 'each in a container’s memory,', (brokers) => {
    describeWithMemoryLimit('with other callers still served, withstand', function () {
      this.timeout(180_000)
      // Only what takes memory in two of the processes; the rest is the same as in one process.
      withstands(() => separateMints(mongoUrl, brokers), typical(LARGE_ANSWERS))
    })
  })
})
