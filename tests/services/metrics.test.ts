import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { contractsView } from '../../services/contracts/contract/view.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import { openMeasured } from '../../shared/runtime/metrics/database-metrics.ts'
import { createMetrics } from '../../shared/runtime/metrics/metrics.ts'
import {
  deadLetterMetrics,
  measuredHandler,
  measuredPublisher,
  relayMetrics,
} from '../../shared/runtime/metrics/topic-metrics.ts'
import { parseMetrics, type ReadMetrics } from '../support/metrics.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { openServices } from '../support/services.ts'
import { troubledNetwork } from '../support/troubled-network.ts'

type OpenServices = Awaited<ReturnType<typeof openServices>>

describe('Metrics', () => {
  let mint: OpenServices
  beforeEach(async () => {
    mint = await openServices()
  })

  const newMetrics = () => createMetrics(quietLogger())
  const read = async (metrics: ReturnType<typeof newMetrics>): Promise<ReadMetrics> =>
    parseMetrics((await metrics.read()).text)

  it('show how many events a relay is behind and how old the first of them is', async () => {
    const metrics = newMetrics()
    relayMetrics(metrics, 'businesses', mint.businessesData)
    for (const legalName of ['One', 'Two', 'Three']) await mint.businesses.createBusiness({ legalName })
    const behind = await read(metrics)
    assert.equal(behind.value('mint_relay_lag_events', { relay: 'businesses' }), 3)
    const age = behind.value('mint_relay_lag_seconds', { relay: 'businesses' })
    assert.ok(age !== undefined && age > 0 && age < 60, `${age}`)

    const lease = await mint.businessesData.checkpoints.acquire('businesses', 'test', 1_000)
    await lease?.advance(await mint.businessesData.events.head())
    const caughtUp = newMetrics()
    relayMetrics(caughtUp, 'businesses', mint.businessesData)
    assert.equal((await read(caughtUp)).value('mint_relay_lag_events'), 0)
    assert.equal((await read(caughtUp)).value('mint_relay_lag_seconds'), 0)
  })

  it('count dead letters, and messages that are handled, published or retried', async () => {
    const metrics = newMetrics()
    const { deadLetters } = mint.contractsData
    deadLetterMetrics(metrics, 'topic', () => deadLetters.count())
    const headers = { ce_specversion: '1.0', ce_id: '1', ce_source: 's', ce_type: 'Unknown.v1', ce_time: '' }
    const message = { key: 'a', headers, value: '?' }
    await measuredHandler(metrics, 'topic', mint.handleBusinessEvents)([message])
    const failing = () => Promise.reject(new StoreUnavailable('away'))
    await assert.rejects(measuredHandler(metrics, 'topic', failing)([message]), StoreUnavailable)
    await measuredPublisher(metrics, 'relay', { publish: async () => undefined }).publish([message, message])
    const away = measuredPublisher(metrics, 'relay', { publish: failing, confirm: failing })
    await assert.rejects(away.publish([message]), StoreUnavailable)
    await assert.rejects(async () => away.confirm?.(1), StoreUnavailable)

    const counted = await read(metrics)
    assert.equal(counted.value('mint_dead_letters', { topic: 'topic' }), 1)
    assert.equal(counted.value('mint_consumer_handled_messages_total', { topic: 'topic' }), 1)
    assert.equal(counted.value('mint_consumer_failures_total', { topic: 'topic' }), 1)
    assert.equal(counted.value('mint_relay_published_messages_total', { relay: 'relay' }), 2)
    assert.equal(counted.value('mint_relay_failures_total', { relay: 'relay' }), 2)
  })

  it('show which version of Mint and of Node the process runs', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    const node = process.versions.node
    assert.equal((await read(newMetrics())).value('mint_build_info', { version, node }), 1)
  })

  it('count appends by their outcome, including those while the engine is down', async () => {
    const metrics = newMetrics()
    const { trouble, between } = troubledNetwork()
    const open = async () => between(mint.contractsData)
    const { events } = await openMeasured(metrics, { service: 'contracts', views: [], open })
    const commit = (expectedVersion: number, commitId: string) => ({
      stream: { category: 'note', id: '1' },
      expectedVersion,
      commitId,
      events: [{ type: 'Noted.v1', data: {} }],
      metadata: { at: 1, by: 'test', requestId: 'r' },
      rows: [],
    })
    await events.append(commit(0, 'first'))
    await events.append(commit(0, 'second'))
    trouble.away = true
    await assert.rejects(events.append(commit(1, 'third')), StoreUnavailable)
    const counted = await read(metrics)
    for (const outcome of ['appended', 'wrong-version', 'unavailable']) {
      const count = counted.value('mint_append_duration_seconds_count', { service: 'contracts', outcome })
      assert.equal(count, 1, outcome)
    }
  })

  it('time reports including their wait, by their outcome, and show how many are pending', async () => {
    const metrics = newMetrics()
    const open = async (): Promise<Database> => ({ ...mint.contractsData, view: withoutChanges(mint.contractsData) })
    const database = await openMeasured(metrics, { service: 'contracts', views: [contractsView], open })
    const { ledger } = database.view(contractsView)
    const sums = () => ledger.sums({ where: {}, groupBy: [], asOf: Date.now(), limit: 1, offset: 0 })
    const changes = () => ledger.changes({ where: {}, since: 0, until: Date.now(), limit: 1, offset: 0 })
    const asked = Promise.allSettled([changes(), ...Array.from({ length: 32 }, sums)])
    assert.equal((await read(metrics)).value('mint_reports_pending', { service: 'contracts' }), 33)
    const refused = (await asked).filter((one) => one.status === 'rejected' && one.reason instanceof StoreUnavailable)
    assert.equal(refused.length, 1)
    const counted = await read(metrics)
    const count = (kind: string, outcome: string) =>
      counted.value('mint_report_duration_seconds_count', { service: 'contracts', kind, outcome })
    assert.deepEqual([count('sums', 'answered'), count('changes', 'unavailable')], [32, 1])
  })

  it('omit values that can’t be read within a second, and show the rest', async () => {
    const metrics = newMetrics()
    deadLetterMetrics(metrics, 'away', () => Promise.reject(new StoreUnavailable('away')))
    deadLetterMetrics(metrics, 'silent', () => new Promise<never>(() => undefined))
    deadLetterMetrics(metrics, 'there', async () => 7)
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      let isAnswered = false
      const reading = read(metrics).finally(() => {
        isAnswered = true
      })
      // The timer is started only by the next turn.
      await nextTurn()
      mock.timers.tick(999)
      await nextTurn()
      assert.equal(isAnswered, false)
      mock.timers.tick(1)
      const counted = await reading
      const values = ['away', 'silent', 'there'].map((topic) => counted.value('mint_dead_letters', { topic }))
      assert.deepEqual(values, [undefined, undefined, 7])
    } finally {
      mock.timers.reset()
    }
  })

  it('query databases once for all concurrent readers', async () => {
    const metrics = newMetrics()
    let reads = 0
    deadLetterMetrics(metrics, 'topic', async () => ++reads)
    await Promise.all(Array.from({ length: 20 }, () => metrics.read()))
    assert.equal(reads, 1)
  })
})

/** The views of a database, which can compute sums but no changes. */
function withoutChanges({ view: viewOf }: Database): Database['view'] {
  return (definition) => {
    const view = viewOf(definition)
    return { ...view, ledger: { ...view.ledger, changes: () => Promise.reject(new StoreUnavailable('away')) } }
  }
}
