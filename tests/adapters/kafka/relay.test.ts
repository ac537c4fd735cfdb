import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { published } from '../../../services/businesses/published.ts'
import { businessesViews, createBusinessesApp } from '../../../services/businesses/service.ts'
import { clientsView } from '../../../services/contracts/client/view.ts'
import { contractsViews, createContractsApp } from '../../../services/contracts/service.ts'
import type { KafkaTopic } from '../../../shared/adapters/kafka/topic.ts'
import { newUuid } from '../../../shared/calls/ids.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { TopicHandler, TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import { type Relay, startRelay } from '../../../shared/event-sourcing/relay.ts'
import { createEnveloper } from '../../../shared/events/enveloper.ts'
import { BUSINESSES_TOPIC, relayOf } from '../../../shared/runtime/settings/topic-names.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { describeOn, kafkaEngine } from '../../support/engines.ts'
import { namesNobody } from '../../support/envelopes.ts'
import { deleteTopics } from '../../support/kafka-topics.ts'
import { quietLogger } from '../../support/quiet-logger.ts'
import { aBusiness, present } from '../../support/requests.ts'
import { waitFor } from '../../support/wait-for.ts'
import { newKafkaTopic } from '../ports/topic-fixtures.ts'

const parts = { clock: Date.now, newId: newUuid, logger: quietLogger() }
const relayName = relayOf('businesses')

describeOn(kafkaEngine(), 'The relay and the consumer over Kafka', (brokers) => {
  describeOnDatabases('with each log', (open) => {
    let name: string
    let businesses: Database
    beforeEach(async () => {
      name = `test.${randomUUID()}`
      atEnd(() => deleteTopics(brokers, name))
      businesses = (await open(businessesViews)).database
    })

    const openTopic = (groupId?: string): KafkaTopic => atEnd.close(newKafkaTopic(brokers, name, groupId))

    /** Starts a relay like a process of the businesses service, with its own producer and name. */
    function startOwnRelay(batchSize?: number): Relay {
      const { publisher } = openTopic()
      const options = {
        database: businesses,
        published,
        publishers: new Map([[BUSINESSES_TOPIC, publisher]]),
        envelopeOf: createEnveloper({ database: businesses, published, nameOf: namesNobody }),
        logger: quietLogger(),
        pollMilliseconds: 50,
      }
      const relay = startRelay({ ...options, holder: newUuid(), ...(batchSize && { batchSize }) })
      atEnd(() => relay.stop())
      return relay
    }

    /** Consumes in a new group, which gets the whole topic; `handled` waits for that many messages. */
    async function consume(handler: TopicHandler = async () => undefined) {
      const received: TopicMessage[] = []
      await openTopic(randomUUID()).consumer.run(async (messages) => {
        await handler(messages)
        received.push(...messages)
      })
      const handled = (count: number) =>
        waitFor(() => received.length >= count, { timeout: 15_000, what: `${count} messages, at ${received.length}` })
      return { received, handled }
    }

    const relayed = async (): Promise<void> => {
      const head = await businesses.events.head()
      const done = async () => (await businesses.checkpoints.read(relayName)) === head
      await waitFor(done, { timeout: 15_000, what: 'the relay at the head of the log' })
    }

    it('leave the Clients unchanged when the whole topic is redelivered or republished', async () => {
      const app = createBusinessesApp({ database: businesses, ...parts })
      const contracts = (await open(contractsViews)).database
      const { handleBusinessEvents } = createContractsApp({
        database: contracts,
        businesses: app.businesses,
        businessesRelay: app.relay,
        requireKnownClient: false,
        ...parts,
      })
      const clients = async () => ({
        rows: await contracts.view(clientsView).list({ where: {}, search: '', limit: 100, offset: 0 }),
        head: await contracts.events.head(),
      })
      await Promise.all(Array.from({ length: 30 }, () => createAndEdit(app.businesses)))
      startOwnRelay()
      const first = await consume(handleBusinessEvents)
      await first.handled(90)
      const before = await clients()
      assert.equal(before.rows.total, 30)

      const redelivered = await consume(handleBusinessEvents)
      await redelivered.handled(90)
      assert.deepEqual(await clients(), before)

      await businesses.checkpoints.reset(relayName)
      await Promise.all([first.handled(180), redelivered.handled(180)])
      await relayed()
      assert.deepEqual(await clients(), before)
      assert.equal(await contracts.deadLetters.count(), 0)
    })

    it('publish each position once while two relays run, even when one stops and another starts', async () => {
      const { businesses: service } = createBusinessesApp({ database: businesses, ...parts })
      const first = startOwnRelay(7)
      startOwnRelay(7)
      const creating = Promise.all(Array.from({ length: 30 }, () => createAndEdit(service)))
      const topic = await consume()
      await topic.handled(1)
      startOwnRelay(7)
      await first.stop()
      await creating
      await Promise.all(Array.from({ length: 10 }, () => createAndEdit(service)))
      await relayed()
      await topic.handled(120)
      assert.deepEqual(
        topic.received.map(positionOf).sort((a, b) => a - b),
        Array.from({ length: 120 }, (_, index) => index + 1),
      )
    })
  })
})

/** Three events of one business. */
async function createAndEdit(businesses: ReturnType<typeof createBusinessesApp>['businesses']): Promise<void> {
  const { id } = present((await businesses.createBusiness(aBusiness())).business)
  await businesses.editBusiness({ id, operatedAs: 'Renamed' })
  await businesses.editBusiness({ id, phone: '1' })
}

const positionOf = ({ headers }: TopicMessage): number => Number(headers.ce_id.split('/').at(-1))
