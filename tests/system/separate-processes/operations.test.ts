import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { BUSINESSES_TOPIC, topicIn } from '../../../shared/runtime/settings/topic-names.ts'
import { version } from '../../../shared/runtime/this-process.ts'
import { newKafkaTopic } from '../../adapters/ports/topic-fixtures.ts'
import { atEnd } from '../../support/cleanup.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { clientFromProtoFile } from '../../support/plain-grpc.ts'
import { aNewContract } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

const POLLING = { timeout: 60_000, every: 100 }

describeOn(bothEngines(), 'Operations of separate processes', (mongoUrl) => {
  async function given() {
    const brokers = process.env.KAFKA_BROKERS ?? ''
    const mint = await newSeparateMint(mongoUrl)
    const { call, ...parts } = await mint.startAll()
    const status = async () => {
      const answer = await call('GET', '/operations/status')
      assert.equal(answer.status, 200)
      return answer.body
    }
    return { mint, brokers, call, status, parts }
  }

  it('show every process, its views, the relay and the topic, and what is down', async () => {
    const { mint, call, status, parts } = await given()
    assert.equal((await call('POST', '/contracts', aNewContract())).status, 201)
    assert.equal((await call('POST', '/businesses', { legalName: 'École du Nord' })).status, 201)
    const settled = async () => {
      const { relay, contractsRelay, unhandledMessages, services } = await status()
      return (
        relay.lagEvents === 0 &&
        contractsRelay.lagEvents === 0 &&
        unhandledMessages === 0 &&
        services[1].status.position === 2
      )
    }
    await waitFor(settled, { ...POLLING, what: 'the Client' })
    const other = mint.start('contracts', { CONTRACTS_PORT: '0' })
    await other.ready()
    const processOf = ({ pid }: { readonly pid: number }) => ({ version, at: `${hostname().slice(0, 40)}/${pid}` })
    const bothShown = async () => (await status()).services[1].status.processes.length === 2
    await waitFor(bothShown, { ...POLLING, what: 'the second contracts process' })
    const caughtUp = (name: string, position: number) => ({ name, position, lagEvents: 0, lagSeconds: 0 })
    const service = (name: keyof typeof parts, position: number, views: readonly string[], more: object[] = []) => {
      const process = processOf(parts[name])
      const ofViews = views.map((view) => caughtUp(view, position))
      const processes = [process, ...more]
      return { name, problem: null, status: { engine: 'mongodb', position, views: ofViews, process, processes } }
    }
    const { services, ...rest } = await status()
    assert.deepEqual(services, [
      service('gateway', 0, ['api_keys', 'webhooks']),
      service('contracts', 2, ['contracts', 'clients', 'closings', 'firms', 'proposals'], [processOf(other)]),
      service('businesses', 1, ['businesses']),
    ])
    const relay = { position: 1, lagEvents: 0, lagSeconds: 0 }
    const topics = { relay, topicProblems: [], contractsRelay: { ...relay, position: 2 }, contractsTopicProblems: [] }
    assert.deepEqual(rest, { ready: true, missing: [], unhandledMessages: 0, deadLetters: 0, ...topics })

    const file = 'mint/operations/v1/status.proto'
    const plain = clientFromProtoFile(mint.businessesAddress, 'mint.operations.v1.StatusService', file, mint.key)
    atEnd(() => plain.close())
    assert.equal((await plain.call('GetStatus', {})).position, 1)

    await parts.businesses.kill()
    await waitFor(async () => !(await status()).ready, { ...POLLING, what: '/readyz to notice' })
    const without = await status()
    assert.deepEqual([without.missing, without.relay], [['businesses'], null])
    const problem = 'The service is unavailable: try again.'
    assert.deepEqual(without.services[2], { name: 'businesses', problem, status: null })
    assert.equal(without.services[1].problem, null)
  }).timeout(150_000)

  it('list dead letters and reprocess them, without writing to the topic', async () => {
    const { mint, brokers, call, status } = await given()
    const name = topicIn(mint.namespace, BUSINESSES_TOPIC)
    const topic = atEnd.close(newKafkaTopic(brokers, name))
    const headers = { ce_specversion: '1.0', ce_id: '1', ce_source: 's', ce_type: 'Unknown.v1', ce_time: '' }
    await topic.publisher.publish([{ key: 'nonsense', headers, value: 'no JSON' }])
    await waitFor(async () => (await status()).deadLetters === 1, { ...POLLING, what: 'the dead letter' })
    const { deadLetters, total } = (await call('GET', '/operations/dead-letters')).body
    const { id, at, reason, ...rest } = deadLetters[0]
    assert.deepEqual([rest, total], [{ topic: name, type: 'Unknown.v1', key: 'nonsense', isCut: false }, 1])
    const { body } = await call('POST', '/operations/dead-letters/replay', { ids: [id] })
    assert.deepEqual(body, { replayed: [{ id, outcome: 'set_aside_again' }], remaining: 1 })
    const [again] = (await call('GET', '/operations/dead-letters')).body.deadLetters
    assert.deepEqual([again.id, again.reason, again.at > at], [id, reason, true])
    assert.equal((await status()).unhandledMessages, 0)
  }).timeout(150_000)
})
