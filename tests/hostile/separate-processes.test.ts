import { describeOn, kafkaEngine, mongoEngine } from '../support/engines.ts'
import { describeWithMemoryLimit } from '../support/memory-limit.ts'
import { separateMints } from './attacked-mint.ts'
import { ATTACKS_WITH_KEY, ATTACKS_WITHOUT_KEY } from './known-attacks.ts'
import { withstands } from './withstand.ts'

describeOn(mongoEngine(), 'Separate processes,', (mongoUrl) => {
  describeOn(kafkaEngine(), 'each in a container’s memory,', (brokers) => {
    describeWithMemoryLimit('where no caller takes what others need, withstand', function () {
      this.timeout(180_000)
      withstands(() => separateMints(mongoUrl, brokers), { ...ATTACKS_WITH_KEY, ...ATTACKS_WITHOUT_KEY })
    })
  })
})
