import { randomUUID } from 'node:crypto'
import type { Kafka, KafkaMessage } from 'kafkajs'

/** All messages of a topic of one partition, as it stands now. Holds them in memory: for topics that stay small. */
export async function readWholeTopic(kafka: Kafka, topic: string): Promise<KafkaMessage[]> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    const [offsets] = await admin.fetchTopicOffsets(topic)
    if (offsets === undefined || offsets.high === offsets.low) return []
    // The driver reads only as a member of a group; this one is of nobody else's, and is gone afterwards.
    const groupId = `mint-reader-${randomUUID()}`
    const messages = await readUpTo(kafka, { topic, groupId, end: BigInt(offsets.high) - 1n })
    await admin.deleteGroups([groupId])
    return messages
  } finally {
    await admin.disconnect()
  }
}

interface Reading {
  readonly topic: string
  readonly groupId: string
  /** Offset of the last message wanted. */
  readonly end: bigint
}

async function readUpTo(kafka: Kafka, { topic, groupId, end }: Reading): Promise<KafkaMessage[]> {
  const messages: KafkaMessage[] = []
  const reachedEnd = Promise.withResolvers<void>()
  const consumer = kafka.consumer({ groupId, minBytes: 1, maxWaitTimeInMs: 100, allowAutoTopicCreation: false })
  await consumer.connect()
  try {
    await consumer.subscribe({ topic, fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ message }) => {
        const offset = BigInt(message.offset)
        if (offset <= end) messages.push(message)
        if (offset >= end) reachedEnd.resolve()
      },
    })
    await reachedEnd.promise
    return messages
  } finally {
    await consumer.disconnect()
  }
}
