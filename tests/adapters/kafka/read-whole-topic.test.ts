import assert from 'node:assert/strict'
import kafkajs from 'kafkajs'
import { readWholeTopic } from '../../../shared/adapters/kafka/read-whole-topic.ts'
import { answeringKafka } from '../../support/answering-kafka.ts'

describe('A topic that is read as a whole', () => {
  it('is asked for again when its partition has no leader yet', async () => {
    const answers = [failing({ retriable: true }), failing({ retriable: true }), async () => [EMPTY]]
    const { kafka, opened } = answeringKafka(answers)
    assert.deepEqual(await readWholeTopic(kafka, 'topic'), [])
    assert.deepEqual(opened, { connected: 3, disconnected: 3 })
  })

  it('is not asked for again after an error that stays', async () => {
    const { kafka, opened } = answeringKafka([failing({ retriable: false })])
    await assert.rejects(readWholeTopic(kafka, 'topic'), kafkajs.KafkaJSError)
    assert.deepEqual(opened, { connected: 1, disconnected: 1 })
  })
})

const EMPTY = { partition: 0, offset: '0', high: '0', low: '0' }

const failing = (kind: { readonly retriable: boolean }) => async () => {
  throw new kafkajs.KafkaJSError('This server is not the leader for that topic-partition', kind)
}
