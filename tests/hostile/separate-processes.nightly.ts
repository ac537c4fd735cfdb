import { describeOn, kafkaEngine, mongoEngine } from '../support/engines.ts'
import { describeWithMemoryLimit } from '../support/memory-limit.ts'
import { separateMints } from './attacked-mint.ts'
import { CALLS_WITHOUT_KEY, further, LARGE_ANSWERS } from './known-attacks.ts'
import { withstands } from './withstand.ts'

describeOn(mongoEngine(), 'Separate processes,', (mongoUrl) => {
  describeOn(kafkaEngine(), 'each in a container’s memory,', (brokers) => {
    describeWithMemoryLimit('where no caller takes what others need, withstand', function () {
      this.timeout(180_000)
      // What two of the processes hold, or a service alone; the rest is the same in one process.
      withstands(() => separateMints(mongoUrl, brokers), { ...further(LARGE_ANSWERS), ...CALLS_WITHOUT_KEY })
    })
  })
})
