import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import kafkajs from 'kafkajs'
import { watchTopicSettings } from '../../../shared/adapters/kafka/topic-settings.ts'
import { createMetrics } from '../../../shared/runtime/metrics/metrics.ts'
import { atEnd } from '../../support/cleanup.ts'
import { collectingLogger } from '../../support/collecting-logger.ts'
import { describeOn, kafkaEngine } from '../../support/engines.ts'
import { connected, deleteTopics, plainKafka } from '../../support/kafka-topics.ts'
import { parseMetrics } from '../../support/metrics.ts'
import { waitFor } from '../../support/wait-for.ts'
import { newKafkaTopic } from '../ports/topic-fixtures.ts'

const WRONG = { 'retention.ms': '604800000', 'retention.bytes': '1000000', 'cleanup.policy': 'compact' }
const RIGHT = { 'retention.ms': '-1', 'retention.bytes': '-1', 'cleanup.policy': 'delete' }

describeOn(kafkaEngine(), 'The settings of a topic created outside Mint', (brokers) => {
  it('are reported while they can lose messages, with one log line for each change', async () => {
    const topic = `test.${randomUUID()}`
    const admin = await connected(plainKafka(brokers).admin())
    atEnd(() => deleteTopics(brokers, topic))
    const entries = (settings: Readonly<Record<string, string>>) =>
      Object.entries(settings).map(([name, value]) => ({ name, value }))
    await admin.createTopics({ topics: [{ topic, configEntries: entries(WRONG) }] })

    const { logger, lines } = collectingLogger()
    const metrics = createMetrics(logger)
    const metric = async () => parseMetrics((await metrics.read()).text).value('mint_topic_problems', { topic })
    const { findProblems, close } = newKafkaTopic(brokers, topic)
    atEnd(close)
    const settings = atEnd.stop(watchTopicSettings({ topic, findProblems, logger, metrics, checkMilliseconds: 0 }))
    const problems = Object.entries(WRONG).map(
      ([name, value]) => `${name} is ${value}, needed: ${RIGHT[name as keyof typeof RIGHT]}`,
    )
    await waitFor(() => settings.problems().length > 0, { what: 'the problems' })
    assert.deepEqual([settings.problems(), await metric()], [problems, 3])

    const type = kafkajs.ConfigResourceTypes.TOPIC
    await admin.alterConfigs({ validateOnly: false, resources: [{ type, name: topic, configEntries: entries(RIGHT) }] })
    await waitFor(() => settings.problems().length === 0, { what: 'the check after that' })
    await waitFor(async () => (await metric()) === 0, { what: 'the metric' })
    assert.deepEqual(
      lines.map(({ msg, problems }) => [msg, problems]),
      [
        ['the topic can lose messages: see “A topic made elsewhere” in docs/operations.md', problems],
        ['the settings of the topic are correct now', undefined],
      ],
    )
  })
})
