import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, kafkaControl } from '../../support/engines.ts'
import { type OwnBroker, startOwnBroker } from '../../support/own-broker.ts'
import { waitFor } from '../../support/wait-for.ts'
import { firstSeen, messages, newKafkaTopic, receivedBy } from '../ports/topic-fixtures.ts'

const BATCHES = 60

describeOn(kafkaControl(), 'Kafka when its broker dies', (control) => {
  let broker: OwnBroker
  before(async () => {
    broker = await startOwnBroker(control)
  })
  // The previous test may have killed it.
  beforeEach(() => broker.start())
  after(() => broker.remove())
  let name: string
  beforeEach(() => {
    name = `test.${randomUUID()}`
  })

  it('delivers everything in order, and resumes within 5 s of the broker’s return', async () => {
    const topic = atEnd.close(newKafkaTopic(broker.address, name))
    const received = await receivedBy(topic)

    const published: TopicMessage[] = []
    const publishing = (async () => {
      for (let batch = 0; batch < BATCHES; batch++) {
        const next = messages(5, 10, 1 + batch * 10)
        await topic.publisher.publish(next)
        published.push(...next)
      }
    })()
    await waitFor(() => received.length > 200, { what: 'the first messages' })
    await broker.kill()
    const before = published.length
    assert.ok(before < BATCHES * 50, 'the broker died in the middle')
    await broker.start()

    await waitFor(() => published.length > before, { timeout: 5_000, what: 'publishing to go on' })
    await publishing
    await waitFor(() => new Set(received.map(({ headers }) => headers.ce_id)).size === published.length, {
      timeout: 5_000,
      what: 'all messages',
    })
    assert.deepEqual(firstSeen(received), firstSeen(published))
  })

  it('rejects a publish that waits for the broker when the topic is closed', async () => {
    const topic = newKafkaTopic(broker.address, name)
    await topic.publisher.publish(messages(1, 1))
    await broker.kill()
    const waiting = assert.rejects(topic.publisher.publish(messages(1, 1, 2)), /stopped/)
    const closing = topic.close()
    await Promise.all([waiting, closing])
  })
})
