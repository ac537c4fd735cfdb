import assert from 'node:assert/strict'
import { BUSINESSES_TOPIC, topicIn } from '../../../shared/runtime/settings/topic-names.ts'
import { newKafkaTopic } from '../../adapters/ports/topic-fixtures.ts'
import { atEnd } from '../../support/cleanup.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { deleteTopics } from '../../support/kafka-topics.ts'
import { linesWith } from '../../support/lines-with.ts'
import { metricsUrlOf, readMetrics } from '../../support/metrics.ts'
import { askHealth } from '../../support/plain-grpc.ts'
import type { Rest } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

const brokers = process.env.KAFKA_BROKERS ?? ''

describeOn(bothEngines(), 'Separate processes whose topic is deleted', (mongoUrl) => {
  it('recreate it and recover without a restart, with every business a Client and on the new topic, and report it as missing meanwhile', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const { call, contracts, businesses } = await mint.startAll()
    const topic = topicIn(mint.namespace, BUSINESSES_TOPIC)
    const clients = async (): Promise<number> => (await call('GET', '/clients?limit=1')).body.total
    const haveClients = (count: number) =>
      waitFor(async () => (await clients()) === count, { every: 100, what: `${count} Clients` })
    await createBusinesses(call, 10)
    await haveClients(10)
    await deleteTopics(brokers, topic)
    // More than before: a consumer that continued at its old offsets would miss some.
    await createBusinesses(call, 30)
    await haveClients(40)
    const again = atEnd.close(newKafkaTopic(brokers, topic, 'another'))
    const keys = new Set<string>()
    await again.consumer.run(async (messages) => {
      for (const { key } of messages) keys.add(key)
    })
    await waitFor(() => keys.size === 40, { what: 'every business on the new topic' })
    const failures = async () =>
      (await readMetrics(await metricsUrlOf(businesses))).value('mint_relay_failures_total') ?? 0
    assert.ok((await failures()) >= 1, 'it is counted')
    const logged = linesWith(businesses.log(), 'was deleted after they were published')
    assert.equal(logged.length, 1, 'it is logged once')
    const deadLetters = async () => (await readMetrics(await metricsUrlOf(contracts))).value('mint_dead_letters')
    const count = await waitFor(async () => `${(await deadLetters()) ?? ''}`, {
      what: 'the dead letters',
    })
    assert.equal(count, '0')

    // They notice it while idle, too.
    const health = () =>
      Promise.all([mint.contractsAddress, mint.businessesAddress].map((address) => askHealth(address, 'kafka')))
    assert.deepEqual(await health(), ['SERVING', 'SERVING'])
    await contracts.kill()
    await deleteTopics(brokers, topic)
    const kafka = () => askHealth(mint.businessesAddress, 'kafka')
    await waitFor(async () => (await kafka()) === 'NOT_SERVING', { what: 'the missing topic to be reported' })
    assert.equal(await askHealth(mint.businessesAddress, ''), 'SERVING')
    const isBack = async () => (await kafka()) === 'SERVING'
    await waitFor(isBack, { every: 100, what: 'the topic to be created again' })
  }).timeout(150_000)
})

async function createBusinesses(call: Rest, count: number): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => call('POST', '/businesses', { legalName: `Business ${index}` })),
  )
  for (const { status } of answers) assert.equal(status, 201)
}
