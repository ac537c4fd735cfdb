import assert from 'node:assert/strict'
import kafkajs from 'kafkajs'
import { createTopicState } from '../../../shared/adapters/kafka/topic-state.ts'

describe('The state of a topic', () => {
  it('is read over a new connection after one with a stale leader failed', async () => {
    const { kafka, opened } = answeringKafka(
      [NOT_LEADER, async () => [{ partition: 0, offset: '7', high: '7', low: '2' }]],
      {
        fetchOffsets: async () => [{ topic: 'topic', partitions: [{ partition: 0, offset: '3', metadata: null }] }],
        fetchTopicMetadata: async () => undefined,
      },
    )
    const state = createTopicState({
      kafka,
      topic: 'topic',
      groupId: 'group',
    })
    await assert.rejects(state.consumerLag(), /not the leader/)
    assert.equal(await state.consumerLag(), 4)
    await state.check()
    assert.deepEqual(opened, { connected: 3, disconnected: 3 })
  })
})

const NOT_LEADER = async () => {
  throw new kafkajs.KafkaJSError('This server is not the leader for that topic-partition')
}

/** A driver whose connections each give one fixed answer for the offsets of every topic, and `others` for all else. */
function answeringKafka(offsets: readonly (() => Promise<unknown>)[], others: object = {}) {
  const opened = { connected: 0, disconnected: 0 }
  const left = [...offsets]
  const admin = () => ({
    ...others,
    connect: async () => opened.connected++,
    disconnect: async () => opened.disconnected++,
    fetchTopicOffsets: left.shift(),
  })
  return { kafka: { admin } as unknown as kafkajs.Kafka, opened }
}
