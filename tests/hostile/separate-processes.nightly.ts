import { describeOn, kafkaEngine, mongoEngine } from '../support/engines.ts'
import { describeWithMemoryLimit } from '../support/memory-limit.ts'
import { separateMints } from './attacked-mint.ts'
import { CALLS_WITHOUT_KEY, LARGE_ANSWERS, remaining } from './known-attacks.ts'
import { withstands } from './withstand.ts'

describeOn(mongoEngine(), 'Separate processes,', (mongoUrl) => {
  describeOn(kafkaEngine(), 'each in a container’s memory,', (brokers) => {
    describeWithMemoryLimit('with other callers still served, withstand', function () {
      this.timeout(180_000)
      // Only what takes memory in two of the processes, or in a service alone; the rest is the same as in one process.
      withstands(() => separateMints(mongoUrl, brokers), { ...remaining(LARGE_ANSWERS), ...CALLS_WITHOUT_KEY })
    })
  })
})
