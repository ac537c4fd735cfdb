import { type Admin, Kafka, logLevel } from 'kafkajs'
import { patchRequestQueue } from '../../shared/adapters/kafka/driver-patch.ts'
import { secured } from './engines.ts'

/** A client of the driver's own, which may do everything on the brokers of the suites. */
export function plainKafka(brokers: string): Kafka {
  patchRequestQueue()
  return new Kafka(secured()?.kafkaAdmin ?? { brokers: brokers.split(','), logLevel: logLevel.NOTHING })
}

/** Deletes every message that a topic has now. */
export async function deleteMessages(admin: Admin, topic: string): Promise<void> {
  const offsets = await admin.fetchTopicOffsets(topic)
  await admin.deleteTopicRecords({
    topic,
    partitions: offsets.map(({ partition, high }) => ({ partition, offset: high })),
  })
}

/** Deletes all topics whose names begin so. */
export async function deleteTopics(brokers: string, beginning: string): Promise<void> {
  const admin = plainKafka(brokers).admin()
  await admin.connect()
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(beginning))
  if (topics.length > 0) await admin.deleteTopics({ topics })
  await admin.disconnect()
}
