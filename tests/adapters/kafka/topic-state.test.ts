import assert from 'node:assert/strict'
import kafkajs from 'kafkajs'
import { createTopicState } from '../../../shared/adapters/kafka/topic-state.ts'
import { answeringKafka } from '../../support/answering-kafka.ts'

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
