import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { businessesViews, createBusinessesApp } from '../../../services/businesses/service.ts'
import { contractsViews, createContractsApp } from '../../../services/contracts/service.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { describeOn, kafkaEngine } from '../../support/engines.ts'
import { connected, deleteTopics, plainKafka } from '../../support/kafka-topics.ts'
import { quietLogger } from '../../support/quiet-logger.ts'
import { waitFor } from '../../support/wait-for.ts'
import { message, newKafkaTopic } from '../ports/topic-fixtures.ts'

/** The largest value, without key and headers, that a topic with Kafka's default limit accepts. */
const LARGEST = 1_048_516
const parts = { clock: Date.now, logger: quietLogger() }

describeOn(kafkaEngine(), 'Messages as large as Kafka accepts', (brokers) => {
  describeOnDatabases('with each database', (open) => {
    it('are set aside whole, and don’t block those behind them', async () => {
      const name = `test.${randomUUID()}`
      atEnd(() => deleteTopics(brokers, name))
      const topic = atEnd.close(newKafkaTopic(brokers, name))
      const { database } = await open(contractsViews)
      const ofBusinesses = (await open(businessesViews)).database
      const { businesses, relay: businessesRelay } = createBusinessesApp({
        database: ofBusinesses,
        ...parts,
      })
      const app = createContractsApp({ database, businesses, businessesRelay, requireKnownClient: false, ...parts })

      await topic.publisher.publish([message('a', 1)])
      const text = 'x'.repeat(LARGEST)
      const producer = await connected(plainKafka(brokers).producer())
      const send = (value: Buffer) => producer.send({ topic: name, messages: [{ value, partition: 0 }] })
      await send(Buffer.from(text))
      await assert.rejects(send(Buffer.from(`${text}x`)), /larger than the max/)
      await send(Buffer.alloc(LARGEST, 0xff))

      await topic.consumer.run(app.handleBusinessEvents)
      const handled = async () => (await topic.consumerLag()) === 0 && (await database.deadLetters.count()) === 3
      await waitFor(handled, { what: 'three dead letters' })
      const values = (await database.deadLetters.list(10)).map((letter) => letter.message.value)
      assert.deepEqual(new Set(values), new Set([message('a', 1).value, text, '\uFFFD'.repeat(LARGEST)]))
    })
  })
})
