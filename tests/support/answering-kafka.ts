import type { Kafka } from 'kafkajs'

/** A driver each of whose connections knows one answer about the offsets of every topic, and `others` about all else. */
export function answeringKafka(offsets: readonly (() => Promise<unknown>)[], others: object = {}) {
  const opened = { connected: 0, disconnected: 0 }
  const left = [...offsets]
  const admin = () => ({
    ...others,
    connect: async () => opened.connected++,
    disconnect: async () => opened.disconnected++,
    fetchTopicOffsets: left.shift(),
  })
  return { kafka: { admin } as unknown as Kafka, opened }
}
