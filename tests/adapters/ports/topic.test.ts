import assert from 'node:assert/strict'
import type { TopicMessage, TopicPublisher } from '../../../shared/event-sourcing/ports/topic.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, kafkaEngine } from '../../support/engines.ts'
import { waitFor } from '../../support/wait-for.ts'
import { firstSeen, message, messages, openOnKafka, type TopicUnderTest } from './topic-fixtures.ts'

describeOn(kafkaEngine(), 'topic, Kafka', (url) => {
  let topic: TopicUnderTest
  beforeEach(() => {
    topic = openOnKafka(url)
  })
  afterEach(() => topic.close())

  it('delivers messages unchanged, in order for each key', async () => {
    const received: TopicMessage[] = []
    await topic.newConsumer().run(async (batch) => void received.push(...batch))
    const published = messages(5, 20)
    await topic.publisher.publish(published.slice(0, 50))
    await topic.publisher.publish(published.slice(50))

    await waitFor(() => received.length >= published.length, { timeout: 15_000, what: 'all messages' })
    assert.deepEqual(Object.groupBy(received, byKey), Object.groupBy(published, byKey))
  })

  it('takes messages from a process whose clock is a day ahead', async () => {
    const { now } = Date
    atEnd(() => Object.assign(Date, { now }))
    Date.now = () => now() + 24 * 60 * 60 * 1000
    await topic.publisher.publish([message('a', 1)])
  })

  it('keeps the order of publish calls that do not wait for each other', async () => {
    const received: TopicMessage[] = []
    await topic.newConsumer().run(async (batch) => void received.push(...batch))
    await Promise.all(Array.from({ length: 20 }, (_, index) => topic.publisher.publish([message('a', index + 1)])))

    await waitFor(() => received.length >= 20, { timeout: 15_000, what: 'all messages' })
    assert.deepEqual(
      received,
      Array.from({ length: 20 }, (_, index) => message('a', index + 1)),
    )
  })

  it('redelivers messages that a handler failed on, in order', async () => {
    const received: TopicMessage[] = []
    let failures = 2
    await topic.newConsumer().run(async (batch) => {
      if (failures-- > 0) throw new Error('not now')
      received.push(...batch)
    })
    await publishUntilDone(topic.publisher, [message('a', 1), message('a', 2)])

    await waitFor(() => received.length >= 2, { timeout: 15_000, what: 'both messages' })
    assert.deepEqual(firstSeen(received), { a: ['test/a/1', 'test/a/2'] })
  })

  it('resumes after a restart of the consumer with the messages not yet handled', async () => {
    const first: TopicMessage[] = []
    const consumer = topic.newConsumer()
    await consumer.run(async (batch) => void first.push(...batch))
    await topic.publisher.publish([message('a', 1)])
    await waitFor(() => first.length > 0, { timeout: 15_000, what: 'the first message' })
    await consumer.stop()

    const second: TopicMessage[] = []
    await topic.newConsumer().run(async (batch) => void second.push(...batch))
    await topic.publisher.publish([message('a', 2)])
    await waitFor(() => second.length > 0, { timeout: 15_000, what: 'the second message' })
    assert.deepEqual(firstSeen([...first, ...second]), { a: ['test/a/1', 'test/a/2'] })
    assert.equal(second.at(-1)?.headers.ce_id, 'test/a/2')
  })
})

function byKey({ key }: TopicMessage): string {
  return key
}

/** Retries until the batch is published, like a relay. */
async function publishUntilDone(publisher: TopicPublisher, batch: readonly TopicMessage[]): Promise<void> {
  await waitFor(() => publisher.publish(batch).then(() => true), { what: 'the messages to be taken' })
}
