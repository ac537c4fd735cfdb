import { type Admin, Kafka, type KafkaMessage, logLevel, type Producer } from 'kafkajs'
import { patchRequestQueue } from '../../shared/adapters/kafka/driver-patch.ts'
import { fromKafkaMessage } from '../../shared/adapters/kafka/message-form.ts'
import { atEnd } from './cleanup.ts'
import { secured } from './engines.ts'
import { waitFor } from './wait-for.ts'

/** A plain client of the driver, with all rights on the suites' brokers. */
export function plainKafka(brokers: string): Kafka {
  patchRequestQueue()
  return new Kafka(secured()?.kafkaAdmin ?? { brokers: brokers.split(','), logLevel: logLevel.NOTHING })
}

/** Connects a client of the driver until the running test ends. */
export async function connected<Client extends Admin | Producer>(client: Client): Promise<Client> {
  await client.connect()
  return atEnd.disconnect(client)
}

/** Deletes every message now in a topic. */
export async function deleteMessages(admin: Admin, topic: string): Promise<void> {
  const offsets = await admin.fetchTopicOffsets(topic)
  await admin.deleteTopicRecords({
    topic,
    partitions: offsets.map(({ partition, high }) => ({ partition, offset: high })),
  })
}

/** Deletes all topics with this prefix. */
export async function deleteTopics(brokers: string, beginning: string): Promise<void> {
  const admin = plainKafka(brokers).admin()
  await admin.connect()
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(beginning))
  if (topics.length > 0) await admin.deleteTopics({ topics })
  await admin.disconnect()
}

/** The first messages of a topic, in the order of their events. */
export async function firstMessages(topic: string, count: number) {
  const consumer = plainKafka(process.env.KAFKA_BROKERS ?? '').consumer({ groupId: `${topic}.${Date.now()}` })
  atEnd(() => consumer.disconnect())
  await consumer.connect()
  await consumer.subscribe({ topic, fromBeginning: true })
  const received: KafkaMessage[] = []
  await consumer.run({ eachMessage: async ({ message }) => void received.push(message) })
  await waitFor(() => received.length >= count, { timeout: 60_000, every: 100, what: `${count} messages of ${topic}` })
  const position = ({ headers }: ReturnType<typeof fromKafkaMessage>) => Number(headers.ce_id.split('/').at(-1))
  return received.map(fromKafkaMessage).toSorted((a, b) => position(a) - position(b))
}
