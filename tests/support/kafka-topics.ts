import { Kafka, logLevel } from 'kafkajs'
import { mendRequestQueue } from '../../shared/adapters/kafka/driver-mending.ts'

/** Deletes all topics whose names begin so. */
export async function deleteTopics(brokers: string, beginning: string): Promise<void> {
  mendRequestQueue()
  const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(beginning))
  if (topics.length > 0) await admin.deleteTopics({ topics })
  await admin.disconnect()
}
