import assert from 'node:assert/strict'
import kafkajs from 'kafkajs'
import { createTopicState } from '../../../shared/adapters/kafka/topic-state.ts'
import { answeringKafka } from '../../support/answering-kafka.ts'

describe('The state of a topic', () => {
  it('is asked for through another connection after one that knew the wrong leader', async () => {
    const { kafka, opened } = answeringKafka(
      [NOT_LEADER, async () => [{ partition: 0, offset: '7', high: '7', low: '2' }]],
      {
        fetchOffsets: async () => [{ topic: 'topic', partitions: [{ partition: 0, offset: '3', metadata: null }] }],
        fetchTopicMetadata: async () => undefined,
      },
    )
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
