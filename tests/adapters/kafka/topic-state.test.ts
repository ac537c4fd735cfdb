import assert from 'node:assert/strict'
import kafkajs, { type Kafka } from 'kafkajs'
import { createTopicState } from '../../../shared/adapters/kafka/topic-state.ts'

describe('The state of a topic', () => {
  it('is asked for through another connection after one that knew the wrong leader', async () => {
    const { kafka, opened } = kafkaWith([NOT_LEADER, async () => [{ partition: 0, offset: '7', high: '7', low: '2' }]])
    const state = createTopicState({
      client: { kafka, end: () => undefined },
      topic: 'topic',
      deadTopic: 'topic.dead',
      groupId: 'group',
      prepare: async () => undefined,
      countDeadLetters: async () => 5,
    })
    await assert.rejects(state.figures(), /not the leader/)
    assert.deepEqual(await state.figures(), { consumerLag: 4, deadLetters: 5 })
    await state.check()
    assert.deepEqual(opened, { connected: 3, disconnected: 3 })
  })
})

const NOT_LEADER = async () => {
  throw new kafkajs.KafkaJSError('This server is not the leader for that topic-partition')
}

/** A driver each of whose connections knows one answer about every topic. */
function kafkaWith(answers: (() => Promise<unknown>)[]) {
  const opened = { connected: 0, disconnected: 0 }
  const admin = () => ({
    connect: async () => opened.connected++,
    disconnect: async () => opened.disconnected++,
    fetchTopicOffsets: answers.shift(),
    fetchOffsets: async () => [{ topic: 'topic', partitions: [{ partition: 0, offset: '3', metadata: null }] }],
    describeCluster: async () => undefined,
  })
  return { kafka: { admin } as unknown as Kafka, opened }
}
