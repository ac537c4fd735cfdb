import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import { createKafkaClient } from '../../../shared/adapters/kafka/client.ts'
import { createKafkaDeadLetters } from '../../../shared/adapters/kafka/dead-letters.ts'
import { createReachability } from '../../../shared/adapters/kafka/reachability.ts'
import type { KafkaTopic } from '../../../shared/adapters/kafka/topic.ts'
import { ensureTopic } from '../../../shared/adapters/kafka/topic-settings.ts'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import { cleanup } from '../../support/cleanup.ts'
import { describeOn, kafkaEngine } from '../../support/engines.ts'
import { deleteTopics } from '../../support/kafka-topics.ts'
import { quietLogger } from '../../support/quiet-logger.ts'
import { waitFor } from '../../support/wait-for.ts'
import { message, newKafkaTopic } from '../ports/topic-fixtures.ts'

/** Of a value without key and headers, the largest that a topic takes that has Kafka's own limit. */
const LARGEST = 1_048_516

describeOn(kafkaEngine(), 'Messages as large as Kafka takes', (brokers) => {
  const atEnd = cleanup()
  let name: string
  beforeEach(() => {
    name = `test.${randomUUID()}`
    atEnd(() => deleteTopics(brokers, name))
  })

  function open(): KafkaTopic {
    const topic = newKafkaTopic(brokers, name)
    atEnd(() => topic.close())
    return topic
  }

  async function send(value: Buffer): Promise<void> {
    const producer = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).producer()
    await producer.connect()
    atEnd(() => producer.disconnect())
    await producer.send({ topic: name, messages: [{ value, partition: 0 }] })
  }

  async function asAdmin(): Promise<Admin> {
    const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    atEnd(() => admin.disconnect())
    return admin
  }

  /** Sets aside whatever comes. */
  async function setAsideAll(topic: KafkaTopic): Promise<void> {
    await topic.consumer.run(async (messages) => {
      for (const each of messages) await topic.deadLetters.add(letterOf(each))
    })
  }

  const letterOf = (each: TopicMessage) => ({ topic: name, message: each, reason: 'not understood', at: 1 })

  it('are set aside whole, and hold up nothing behind them', async () => {
    const topic = open()
    await topic.publisher.publish([message('a', 1)])
    const text = 'x'.repeat(LARGEST)
    await send(Buffer.from(text))
    await assert.rejects(send(Buffer.from(`${text}x`)), /larger than the max/)
    const noText = Buffer.alloc(LARGEST, 0xff)
    await send(noText)
    await setAsideAll(topic)
    await waitFor(async () => (await topic.figures()).deadLetters === 3, {
      timeout: 10_000,
      what: 'three dead letters',
    })
    await waitFor(async () => (await topic.figures()).consumerLag === 0, { timeout: 10_000, what: 'all to be handled' })
    const values = (await topic.deadLetters.list(10)).map((letter) => letter.message.value)
    assert.deepEqual(new Set(values), new Set([message('a', 1).value, text, '\uFFFD'.repeat(LARGEST)]))
  }).timeout(40_000)

  it('are set aside whole on a topic of dead letters that an earlier version made, with its other settings kept', async () => {
    const admin = await asAdmin()
    const configEntries = [{ name: 'retention.ms', value: '-1' }]
    await admin.createTopics({ topics: [{ topic: `${name}.dead`, numPartitions: 1, configEntries }] })
    const topic = open()
    await topic.publisher.publish([message('a', 1)])
    await send(Buffer.alloc(LARGEST, 'x'))
    await setAsideAll(topic)
    await waitFor(async () => (await topic.figures()).deadLetters === 2, { timeout: 10_000, what: 'the dead letters' })
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: 2, name: `${name}.dead`, configNames: ['retention.ms', 'max.message.bytes'] }],
    })
    const settings = resources[0]?.configEntries.map(({ configName, configValue }) => `${configName}=${configValue}`)
    assert.deepEqual(settings?.sort(), [`max.message.bytes=${3 * 1_048_588 + 65_536}`, 'retention.ms=-1'])
  }).timeout(40_000)

  it('are set aside whole when the topic itself takes larger ones since', async () => {
    const topic = open()
    await topic.publisher.publish([message('a', 1)])
    await topic.deadLetters.add(letterOf(message('a', 1)))
    const configEntries = [{ name: 'max.message.bytes', value: '5000000' }]
    await (await asAdmin()).alterConfigs({ validateOnly: false, resources: [{ type: 2, name, configEntries }] })
    const large = { ...message('b', 1), value: 'x'.repeat(4_900_000) }
    await topic.publisher.publish([large])
    await topic.deadLetters.add(letterOf(large))
    assert.deepEqual((await topic.deadLetters.list(10)).at(-1), letterOf(large))
  }).timeout(40_000)

  it('are set aside with their beginning, and say so, where the brokers let no larger ones be', async () => {
    const logger = quietLogger()
    const reachability = createReachability(logger)
    const client = createKafkaClient({ brokers: brokers.split(','), logger, reachability })
    const deadLetters = createKafkaDeadLetters(client, `${name}.dead`, (kafka) =>
      ensureTopic(kafka, { topic: `${name}.dead`, partitions: 1, replication: 1, maxMessageBytes: 20_000 }),
    )
    atEnd(() => deadLetters.stop())
    const { headers } = message('a', 1)
    const large = {
      key: 'k'.repeat(9_000),
      headers: { ...headers, ce_id: 'i'.repeat(9_000) },
      value: 'é'.repeat(9_000),
    }
    for (let times = 0; times < 2; times++) await deadLetters.add(letterOf(large))
    const beginning = {
      key: 'k'.repeat(1_000),
      headers: { ...headers, ce_id: 'i'.repeat(1_000) },
      value: 'é'.repeat(1_000),
    }
    const note = `Too large to be set aside whole (18000 bytes), so only its beginning is here: read it on ${name}.`
    const kept = { topic: name, message: beginning, reason: `not understood ${note}`, at: 1 }
    assert.deepEqual(await deadLetters.list(10), [kept])
    await deadLetters.remove(kept)
    assert.equal(await deadLetters.count(), 0)
  }).timeout(40_000)
})
