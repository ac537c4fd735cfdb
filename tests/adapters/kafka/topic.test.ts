import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { createKafkaTopic, type KafkaTopic } from '../../../shared/adapters/kafka/topic.ts'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, kafkaEngine } from '../../support/engines.ts'
import { freePort } from '../../support/free-port.ts'
import { connected, deleteTopics, plainKafka } from '../../support/kafka-topics.ts'
import { waitFor } from '../../support/wait-for.ts'
import { firstSeen, message, messages, newKafkaTopic, noSecurity, receivedBy } from '../ports/topic-fixtures.ts'

describeOn(kafkaEngine(), 'Kafka', (brokers) => {
  let name: string
  beforeEach(() => {
    name = `test.${randomUUID()}`
    atEnd(() => deleteTopics(brokers, name))
  })

  const open = (groupId?: string): KafkaTopic => atEnd.close(newKafkaTopic(brokers, name, groupId))

  it('creates topics with the configured partitions, unlimited retention and no compression', async () => {
    await open().publisher.publish([message('a', 1)])
    const admin = await connected(plainKafka(brokers).admin())
    const { topics } = await admin.fetchTopicMetadata({ topics: [name] })
    assert.equal(topics[0]?.partitions.length, 3)
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: 2, name, configNames: ['retention.ms', 'cleanup.policy', 'compression.type'] }],
    })
    const settings = resources[0]?.configEntries.map(({ configName, configValue }) => `${configName}=${configValue}`)
    assert.deepEqual(settings?.sort(), ['cleanup.policy=delete', 'compression.type=uncompressed', 'retention.ms=-1'])
  })

  it('delivers the whole topic to each new group, unchanged and in order for each key', async () => {
    const published = messages(4, 25)
    const { publisher } = open()
    await publisher.publish(published.slice(0, 50))
    await publisher.publish(published.slice(50))
    for (const groupId of ['one', 'another']) {
      const received = await receivedBy(open(groupId))
      await waitFor(() => received.length >= published.length, { what: `all for group ${groupId}` })
      assert.deepEqual(Object.groupBy(received, byKey), Object.groupBy(published, byKey))
    }
  })

  it('takes messages from a process whose clock is a day ahead', async () => {
    const { now } = Date
    atEnd(() => Object.assign(Date, { now }))
    Date.now = () => now() + 24 * 60 * 60 * 1000
    await open().publisher.publish([message('a', 1)])
  })

  it('takes a batch of the longest messages, which together exceed what a broker accepts at once', async () => {
    const received = await receivedBy(open())
    const value = JSON.stringify('😀'.repeat(10_000))
    const published = messages(1, 100).map((one) => ({ ...one, value }))
    await open().publisher.publish(published)
    await waitFor(() => received.length >= published.length, { what: 'all messages' })
    assert.deepEqual(received, published)
  })

  it('keeps the order of publish calls that do not wait for each other', async () => {
    const received = await receivedBy(open())
    const { publisher } = open()
    const published = messages(1, 20)
    await Promise.all(published.map((one) => publisher.publish([one])))
    await waitFor(() => received.length >= published.length, { what: 'all messages' })
    assert.deepEqual(received, published)
  })

  it('redelivers messages that a handler failed on, in order', async () => {
    const received: TopicMessage[] = []
    let failures = 2
    const { consumer, publisher } = open()
    await consumer.run(async (batch) => {
      if (failures-- > 0) throw new Error('not now')
      received.push(...batch)
    })
    const published = messages(1, 2)
    // Retries until the batch is published, like a relay.
    await waitFor(() => publisher.publish(published).then(() => true), { what: 'the messages to be taken' })
    await waitFor(() => received.length >= 2, { what: 'both messages' })
    assert.deepEqual(firstSeen(received), firstSeen(published))
  })

  it('redelivers messages that were being handled when the consumer stopped, and resumes behind those that were handled', async () => {
    const first = open()
    const earlier = await receivedBy(first)
    await first.publisher.publish([message('a', 1)])
    await waitFor(() => earlier.length > 0, { what: 'the first message' })
    await first.consumer.stop()
    const second = open()
    await second.publisher.publish([message('a', 2)])
    const handling = Promise.withResolvers<void>()
    await second.consumer.run(async () => {
      handling.resolve()
      throw new Error('never handled')
    })
    await handling.promise
    await second.consumer.stop()

    const later = await receivedBy(open())
    const isLast = () => later.at(-1)?.headers.ce_id === 'test/a/2'
    await waitFor(isLast, { what: 'the second message again' })
    assert.deepEqual(firstSeen([...earlier, ...later]), { a: ['test/a/1', 'test/a/2'] })
  })

  it('delivers a foreign message unchanged, with missing headers left empty', async () => {
    const received = await receivedBy(open())
    const producer = await connected(plainKafka(brokers).producer())
    await producer.send({ topic: name, messages: [{ value: 'hello' }] })

    await waitFor(() => received.length > 0, { what: 'the foreign message' })
    const headers = { ce_specversion: '', ce_id: '', ce_source: '', ce_type: '', ce_time: '' }
    assert.deepEqual(received, [{ key: '', headers, value: 'hello' }])
  })

  it('releases all connections when it is closed, even while its consumer is joining', async () => {
    await open().publisher.publish([message('a', 1)])
    const before = connections()
    for (const groupId of ['one', 'two', 'three']) {
      const topic = newKafkaTopic(brokers, name, groupId)
      const joining = topic.consumer.run(async () => undefined)
      const publishing = topic.publisher.publish([message('a', 2)])
      const more = newKafkaTopic(brokers, name, groupId)
      const joiningBehind = more.consumer.run(async () => undefined)
      await publishing
      await Promise.all([topic.close(), more.close()])
      await Promise.all([joining, joiningBehind])
    }
    await waitFor(() => connections() <= before, { what: 'no more connections than before' })
  })

  it('reports how many messages its group has not handled', async () => {
    const topic = open()
    await topic.publisher.publish(messages(4, 5))
    assert.equal(await topic.consumerLag(), 20)
    let isAway = true
    await topic.consumer.run(async () => {
      if (isAway) throw new Error('not now')
    })
    assert.equal(await topic.consumerLag(), 20)
    isAway = false
    await waitFor(async () => (await topic.consumerLag()) === 0, { what: 'all to be handled' })
  })
})

describe('Unreachable Kafka', () => {
  it('is awaited with one log line, and blocks neither queries nor closing', async () => {
    const lines: string[] = []
    const logger = pino({ level: 'info' }, { write: (line) => lines.push(line) })
    const brokers = [`127.0.0.1:${await freePort()}`]
    const topic = createKafkaTopic({
      brokers,
      topic: 'any',
      security: noSecurity,
      partitions: 1,
      replication: 1,
      logger,
    })
    topic.connect()
    const publishing = assert.rejects(topic.publisher.publish([message('a', 1)]), /stopped/)
    void topic.consumer.run(async () => undefined)
    const questions = [topic.check(), topic.consumerLag()]
    await Promise.all(questions.map((question) => assert.rejects(question, /did not answer/)))
    await topic.close()
    await publishing
    const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'waiting for Kafka')
    assert.deepEqual(
      logged.map(({ broker }) => broker),
      brokers,
    )
  })
})

const byKey = ({ key }: TopicMessage): string => key

/** The number of open connections of this process, to any host. */
function connections(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource.startsWith('TCP')).length
}
