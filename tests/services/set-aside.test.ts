import assert from 'node:assert/strict'
import { pino } from 'pino'
import { askBusinesses } from '../../services/contracts/client/asked-businesses.ts'
import { createBusinessesFollower } from '../../services/contracts/client/follow-businesses.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import type { TopicMessage } from '../../shared/event-sourcing/ports/topic.ts'
import { countingOutages } from '../../shared/runtime/log/outages.ts'
import { withValue } from '../support/forged-messages.ts'
import { aBusiness, present } from '../support/requests.ts'
import { openServices, publishedBy } from '../support/services.ts'

describe('Messages that the businesses service does not confirm', () => {
  async function open(code: 'validation_failed' | 'internal_error') {
    const services = await openServices()
    await services.businesses.createBusiness(aBusiness())
    const [message] = await publishedBy(services)
    const lines: Record<string, unknown>[] = []
    const hooks = { logMethod: countingOutages() }
    const logger = pino({ base: null, timestamp: false, hooks }, { write: (line) => lines.push(JSON.parse(line)) })
    const refuse = () => Promise.reject(new CodedError(code, 'refused'))
    const follow = createBusinessesFollower({
      database: services.contractsData,
      businesses: askBusinesses({ getBusiness: refuse, getBusinessByClientId: refuse, listBusinessHistory: refuse }),
      clock: Date.now,
      topic: 'topic',
      logger,
    })
    return { message: present(message), lines, follow, deadLetters: services.contractsData.deadLetters }
  }

  it('are set aside if it rejects the query as invalid, as it always would', async () => {
    const { message, follow, deadLetters } = await open('validation_failed')
    await follow([message])
    assert.deepEqual(
      (await deadLetters.list(10)).map((letter) => letter.message),
      [message],
    )
  })

  it('are redelivered after any other error', async () => {
    const { message, follow, deadLetters } = await open('internal_error')
    await assert.rejects(follow([message]), { code: 'internal_error' })
    assert.equal(await deadLetters.count(), 0)
  })

  it('are logged in one short line, however many and long they are', async () => {
    const { message, follow, deadLetters, lines } = await open('validation_failed')
    const forged = Array.from({ length: 20 }, (_, index): TopicMessage => {
      const headers = { ...message.headers, ce_id: 'i'.repeat(255) }
      return { ...withValue(message, { operatedAs: `Forged ${index}` }), headers, key: 'k'.repeat(100_000) }
    })
    await follow(forged)
    assert.equal(await deadLetters.count(), 20)
    const { id, version } = JSON.parse(message.value)
    assert.deepEqual(lines, [
      {
        level: 40,
        outage: 'dead-letters',
        key: 'k'.repeat(100),
        id: 'i'.repeat(100),
        reason: `Not what the businesses service says: there is no version ${version} of business ${id}.`,
        msg: 'a message was set aside',
      },
    ])
  })
})
