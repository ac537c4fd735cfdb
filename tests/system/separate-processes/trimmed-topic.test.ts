import assert from 'node:assert/strict'
import { BUSINESSES_TOPIC, topicIn, topicOfKind } from '../../../shared/runtime/settings/topic-names.ts'
import { mint as runMint } from '../../support/command-line.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { connected, deleteMessages, plainKafka } from '../../support/kafka-topics.ts'
import { linesWith } from '../../support/lines-with.ts'
import { metricsUrlOf, readMetrics } from '../../support/metrics.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

const brokers = process.env.KAFKA_BROKERS ?? ''
const WEEK = String(7 * 24 * 60 * 60 * 1000)
const PROBLEM = `retention.ms is ${WEEK}, needed: -1`

describeOn(bothEngines(), 'A topic that Mint did not create', (mongoUrl) => {
  it('is reported for its retention, and messages it deletes before they become Clients are published again', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const admin = await connected(plainKafka(brokers).admin())
    const topic = topicIn(mint.namespace, BUSINESSES_TOPIC)
    const configEntries = [{ name: 'retention.ms', value: WEEK }]
    const contractsTopic = topicIn(mint.namespace, topicOfKind('contracts'))
    const topics = [topic, contractsTopic].map((topic) => ({ topic, numPartitions: 2, configEntries }))
    await admin.createTopics({ topics })

    const businesses = mint.start('businesses')
    const call = await mint.callerOf(mint.start('gateway'))
    await businesses.ready()
    for (let index = 0; index < 5; index++) {
      assert.equal((await call('POST', '/businesses', { legalName: `Business ${index}` })).status, 201)
    }
    const published = async () =>
      (await admin.fetchTopicOffsets(topic)).reduce((sum, { high }) => sum + Number(high), 0)
    await waitFor(async () => (await published()) === 5, { what: 'every business on the topic' })
    await deleteMessages(admin, topic)

    mint.start('contracts')
    const clients = async (): Promise<number> => (await call('GET', '/clients?limit=1')).body.total
    await waitFor(async () => (await clients()) === 5, { timeout: 60_000, every: 100, what: 'every Client' })

    const problems = async () => (await call('GET', '/operations/status')).body.topicProblems
    await waitFor(async () => ((await problems()) ?? []).length > 0, {
      every: 100,
      what: 'the problem',
    })
    assert.deepEqual(await problems(), [PROBLEM])
    const metric = async () =>
      (await readMetrics(await metricsUrlOf(businesses))).value('mint_topic_problems', { topic })
    assert.equal(await metric(), 1)
    assert.equal(linesWith(businesses.log(), PROBLEM).length, 1)
    const { output } = await runMint(['status'], mint.settings)
    assert.match(
      output,
      new RegExp(`^ {14}can lose messages: ${PROBLEM}\n  contracts   can lose messages: ${PROBLEM}$`, 'm'),
    )
    const doctor = await runMint(['doctor'], mint.settings)
    for (const name of [topic, contractsTopic]) {
      assert.ok(doctor.output.includes(`problem  Kafka: the topic ${name} can lose messages: ${PROBLEM}. To do: `))
    }
  }).timeout(150_000)
})
