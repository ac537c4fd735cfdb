import assert from 'node:assert/strict'
import type { Kafka } from 'kafkajs'
import { createConsumer } from '../../../shared/adapters/kafka/consumer.ts'
import { createPublisher } from '../../../shared/adapters/kafka/publisher.ts'
import { quietLogger } from '../../support/quiet-logger.ts'

describe('A broker that accepts connections and then refuses requests', () => {
  it('leaves no connection of a publisher that could not connect', async () => {
    const { kafka, open } = refusing('connect', 2)
    const publisher = createPublisher(kafka, 'topic', async () => undefined)
    for (const _ of [1, 2]) await assert.rejects(publisher.connect(), /not authorized/)
    await publisher.connect()
    assert.equal(open.size, 1)
  })

  for (const step of ['subscribe', 'run'] as const) {
    it(`leaves no connection of a consumer that could not ${step}`, async () => {
      const { kafka, open } = refusing(step, 2)
      const consumer = createConsumer({
        kafka,
        topic: 'topic',
        groupId: 'group',
        logger: quietLogger(),
        prepare: async () => undefined,
      })
      await consumer.run(async () => undefined)
      assert.equal(open.size, 1)
      await consumer.stop()
      assert.equal(open.size, 0)
    })
  }
})

/** A driver whose producers and consumers connect, but fail at one step this many times. */
function refusing(step: 'connect' | 'subscribe' | 'run', times: number) {
  const open = new Set<object>()
  let left = times
  const take = (what: string): void => {
    if (what === step && left-- > 0) throw new Error('not authorized')
  }
  const connection = () => {
    const self = {
      events: { CRASH: 'consumer.crash' },
      on: () => undefined,
      async connect() {
        open.add(self)
        take('connect')
      },
      subscribe: async () => take('subscribe'),
      run: async () => take('run'),
      disconnect: async () => void open.delete(self),
    }
    return self
  }
  return { kafka: { producer: connection, consumer: connection } as unknown as Kafka, open }
}
