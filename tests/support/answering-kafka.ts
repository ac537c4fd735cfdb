import type { Kafka } from 'kafkajs'

/** A driver whose connections each give one fixed answer for the offsets of every topic, and `others` for all else. */
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
