import assert from 'node:assert/strict'
import { pino } from 'pino'
import { createBusinessReader } from '../../services/contracts/client/business-reader.ts'
import { createBusinessesKeys } from '../../services/contracts/client/businesses-keys.ts'
import { createBusinessesFollower } from '../../services/contracts/client/follow-businesses.ts'
import type { TopicMessage } from '../../shared/event-sourcing/ports/topic.ts'
import { countingOutages } from '../../shared/runtime/log/outages.ts'
import { withValue } from '../support/forged-messages.ts'
import { aBusiness, present } from '../support/requests.ts'
import { openServices, publishedBy } from '../support/services.ts'

describe('Messages that the businesses service has not signed', () => {
  it('are logged in one short line, however many and long they are', async () => {
    const services = await openServices()
    await services.businesses.createBusiness(aBusiness())
    const [message] = await publishedBy(services)
    const real = present(message)
    const lines: Record<string, unknown>[] = []
    const hooks = { logMethod: countingOutages() }
    const logger = pino({ base: null, timestamp: false, hooks }, { write: (line) => lines.push(JSON.parse(line)) })
    const { contractsData: database, businessesRelay: relay } = services
    const follow = createBusinessesFollower({
      database,
      businesses: createBusinessReader(services.businesses),
      keys: createBusinessesKeys({ database, relay, logger }),
      clock: Date.now,
      topic: 'topic',
      logger,
    })
    const forged = Array.from({ length: 20 }, (_, index): TopicMessage => {
      const headers = { ...real.headers, ce_id: 'i'.repeat(255) }
      return { ...withValue(real, { operatedAs: `Forged ${index}` }), headers, key: 'k'.repeat(100_000) }
    })
    await follow(forged)
    assert.equal(await database.deadLetters.count(), 20)
    assert.deepEqual(lines, [
      {
        level: 40,
        outage: 'dead-letters',
        key: 'k'.repeat(100),
        id: 'i'.repeat(255).slice(0, 100),
        reason: 'Changed after it was signed.',
        msg: 'a message was set aside',
      },
    ])
  })
})
