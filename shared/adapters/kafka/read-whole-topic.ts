import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import kafkajs, { type Kafka, type KafkaMessage } from 'kafkajs'
import { withAdmin } from './with-admin.ts'

/** A partition that was just made, or moves, has no leader for a moment: so often it is asked for. */
const TRIES = 20
/** Between two of them, in milliseconds. */
const PAUSE = 100

/** All messages of a topic of one partition, as it stands now. Holds them in memory: for topics that stay small. */
export async function readWholeTopic(kafka: Kafka, topic: string): Promise<KafkaMessage[]> {
  const offsets = await offsetsOf(kafka, topic)
  if (offsets === undefined || offsets.high === offsets.low) return []
  // The driver reads only as a member of a group; this one is of nobody else's, and is gone afterwards.
  const groupId = `mint-reader-${randomUUID()}`
  const messages = await readUpTo(kafka, { topic, groupId, end: BigInt(offsets.high) - 1n })
  await withAdmin(kafka, (admin) => admin.deleteGroups([groupId]))
  return messages
}

/** Where the partition begins and ends. The driver gives up at once where it asked a broker that doesn't lead it. */
async function offsetsOf(kafka: Kafka, topic: string) {
  for (let tries = 1; ; tries++) {
    try {
      return await withAdmin(kafka, async (admin) => (await admin.fetchTopicOffsets(topic))[0])
    } catch (error) {
      if (tries === TRIES || !(error instanceof kafkajs.KafkaJSError && error.retriable)) throw error
    }
    await pause(PAUSE)
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
