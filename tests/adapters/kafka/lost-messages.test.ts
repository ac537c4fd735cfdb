import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Admin } from 'kafkajs'
import { atEnd } from '../../support/cleanup.ts'
import { collectingLogger } from '../../support/collecting-logger.ts'
import { describeOn, kafkaEngine } from '../../support/engines.ts'
import { connected, deleteMessages, deleteTopics, plainKafka } from '../../support/kafka-topics.ts'
import { waitFor } from '../../support/wait-for.ts'
import { messages, newKafkaTopic } from '../ports/topic-fixtures.ts'

const POLLING = { timeout: 40_000, every: 100 }
const DELETED = 'messages were deleted from the topic before they were handled: publishing all again'

describeOn(kafkaEngine(), 'The consumer of a topic whose messages are deleted', (brokers) => {
  let topic: string
  let admin: Admin
  beforeEach(async () => {
    topic = `test.${randomUUID()}`
    admin = await connected(plainKafka(brokers).admin())
    atEnd(() => deleteTopics(brokers, topic))
  })

  const published = messages(12, 2)

  async function publish(): Promise<void> {
    const { publisher, close } = newKafkaTopic(brokers, topic)
    await publisher.publish(published)
    await close()
  }

  /** Starts a consumer that counts how often it has everything published again. */
  async function consume(handle: () => Promise<void> = async () => undefined) {
    const { logger, lines } = collectingLogger()
    const handled = new Set<string>()
    const republished = { times: 0 }
    const publishAgain = async () => {
      republished.times++
      await publish()
    }
    const consuming = atEnd.close(newKafkaTopic(brokers, topic, 'test', { logger, publishAgain }))
    await consuming.consumer.run(async (batch) => {
      await handle()
      for (const { headers } of batch) handled.add(headers.ce_id)
    })
    const logged = (text: string) => lines.filter(({ msg }) => msg === text).length
    return { handled, republished, logged, close: consuming.close }
  }

  const untilAllAreHandled = ({ handled }: { readonly handled: ReadonlySet<string> }) =>
    waitFor(() => handled.size === published.length, { ...POLLING, what: `every message, at ${handled.size}` })

  it('has them published again, once, if they were deleted while it was down', async () => {
    await publish()
    await deleteMessages(admin, topic)
    const first = await consume()
    await untilAllAreHandled(first)
    assert.deepEqual([first.republished.times, first.logged(DELETED)], [1, 1])
    await waitFor(async () => (await newKafkaTopicLag()) === 0, { ...POLLING, what: 'the commits' })
    await first.close()
    const second = await consume()
    await publish()
    await untilAllAreHandled(second)
    assert.equal(second.republished.times, 0)
  }).timeout(90_000)

  it('has them published again, once, if its handler was busy with others', async () => {
    let isStuck = true
    const consumer = await consume(async () => {
      if (isStuck) throw new Error('stuck')
    })
    await publish()
    await deleteMessages(admin, topic)
    await waitFor(() => consumer.republished.times > 0, { ...POLLING, what: 'everything to be published again' })
    isStuck = false
    await untilAllAreHandled(consumer)
    assert.deepEqual([consumer.republished.times, consumer.logged(DELETED)], [1, 1])
  }).timeout(90_000)

  it('is unaffected if they were deleted after they were handled', async () => {
    const first = await consume()
    await publish()
    await untilAllAreHandled(first)
    await waitFor(async () => (await newKafkaTopicLag()) === 0, { ...POLLING, what: 'the commits' })
    await first.close()
    await deleteMessages(admin, topic)
    const second = await consume()
    await publish()
    await untilAllAreHandled(second)
    assert.deepEqual([first.republished.times, second.republished.times], [0, 0])
  }).timeout(90_000)

  it('handles the messages of new partitions', async () => {
    const consumer = await consume()
    await publish()
    await untilAllAreHandled(consumer)
    await admin.createPartitions({ topicPartitions: [{ topic, count: 4 }] })
    const producer = await connected(plainKafka(brokers).producer())
    const messages = [{ partition: 3, key: 'new', value: '{}', headers: { ce_id: 'new' } }]
    // A partition has no leader for a moment after it was created.
    const isSent = () => producer.send({ topic, messages }).then(Boolean, () => false)
    await waitFor(isSent, { ...POLLING, what: 'the new partition to take a message' })
    await waitFor(() => consumer.handled.has('new'), { timeout: 60_000, every: 100, what: 'the message' })
  }).timeout(90_000)

  async function newKafkaTopicLag(): Promise<number> {
    const { consumerLag, close } = newKafkaTopic(brokers, topic)
    return await consumerLag().finally(close)
  }
})
