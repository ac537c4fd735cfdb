import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { assertNone } from '../support/assert-none.ts'
import { mint as runCommand } from '../support/command-line.ts'
import { exceptDocumented, missingIn, useEverything } from '../support/dashboards.ts'
import { bothEngines, describeOn } from '../support/engines.ts'
import { metricsUrlOf, type ReadMetrics, readMetrics } from '../support/metrics.ts'
import { sharedMint } from '../support/mint-process.ts'
import { aNewContract, type Rest, restClient } from '../support/rest.ts'
import { newSeparateMint } from '../support/separate-processes.ts'
import { waitFor } from '../support/wait-for.ts'

const page = readFileSync('docs/operations.md', 'utf8')
/** Rows of the metrics table, with the letters of the processes that have them. */
const inTable = [...page.matchAll(/^\| `(\w+)` \| ([SGCBTF ]+) \|/gm)].map(([, name = '', of = '']) => ({ name, of }))
const [, rest = ''] = page.split('\nThe rest are')
const [, inList = ''] = rest.split('\n\n')
const inEvery = [...inList.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)

/** The metrics of a process according to docs/operations.md. */
const documented = (letter: 'S' | 'G' | 'C' | 'B'): string[] =>
  [...inTable.filter(({ of }) => of.includes(letter)).map(({ name }) => name), ...inEvery].sort()

describe('docs/operations.md', () => {
  it('names only metrics in its table, and commands that exist', async () => {
    const metrics = [...page.matchAll(/\bmint_\w+?(?=_bucket\b|_count\b|_sum\b|\b)/g)].map(([name]) => name)
    const databases = ['mint_contracts', 'mint_businesses', 'mint_gateway']
    const known = new Set([...inTable.map(({ name }) => name), ...databases])
    assertNone(metrics.filter((name) => !known.has(name) && !name.endsWith('_')))
    const commands = new Set(
      [...page.matchAll(/[`\n]cli\/mint ([a-z-]+(?: (?:list|replay|rebuild|revoke|rotate))?)/g)].map(
        ([, words = '']) => words,
      ),
    )
    assert.ok(commands.size >= 8, [...commands].join())
    for (const words of commands) {
      const { exitCode, output } = await runCommand([...words.split(' '), '--help'], {})
      assert.deepEqual([exitCode, output.includes(`mint ${words}`)], [0, true], words)
    }
  })
})

describe('Metrics of npm start', () => {
  const mint = sharedMint()
  const call: Rest = (...request) => restClient(mint())(...request)

  it('are exactly those of docs/operations.md', async () => {
    assert.deepEqual((await readMetrics(mint().metricsUrl)).names, documented('S'))
  })

  it('report requests, appends, log positions, and what the relay and the consumer did', async () => {
    for (const serviceFee of [1, 2, 3]) await call('POST', '/contracts', aNewContract({ serviceFee }))
    await call('POST', '/contracts', aNewContract({ serviceFee: -1e13 }))
    await call('PATCH', '/contracts/1', { serviceFee: 4 })
    await call('POST', '/businesses', { legalName: 'École du Nord' })
    await waitFor(async () => (await call('GET', '/clients')).body.total === 1)
    const metrics = await waitFor(async () => {
      const read = await readMetrics(mint().metricsUrl)
      return read.value('mint_log_position', { service: 'contracts' }) === 5 ? read : undefined
    })
    const requests = (labels: Record<string, string>) =>
      metrics.value('mint_http_request_duration_seconds_count', labels)
    assert.equal(requests({ method: 'POST', route: '/contracts', status: '201' }), 3)
    assert.equal(requests({ method: 'POST', route: '/contracts', status: '400' }), 1)
    assert.equal(requests({ method: 'PATCH', route: '/contracts/:id', status: '200' }), 1)
    const ofContracts = { service: 'contracts' }
    const appends = metrics.value('mint_append_duration_seconds_count', { ...ofContracts, outcome: 'appended' })
    assert.equal(appends, 5, 'three contracts, an edit and a Client')
    assert.equal(metrics.value('mint_append_batch_commits_sum', ofContracts), 5)
    assert.equal(metrics.value('mint_log_position', { service: 'businesses' }), 1)
    assert.equal(metrics.value('mint_relay_published_messages_total'), 1)
    assert.equal(metrics.value('mint_consumer_handled_messages_total'), 1)
    for (const name of ['mint_dead_letters', 'mint_relay_failures_total', 'mint_consumer_failures_total']) {
      assert.equal(metrics.value(name), 0, name)
    }
    assert.equal(metrics.value('mint_projection_lag_events'), 0)
  })

  it('are not served on the public port, and nothing else is served on theirs', async () => {
    assert.equal((await call('GET', '/metrics')).status, 404)
    const { origin } = new URL(mint().metricsUrl)
    for (const path of ['/', '/contracts', '/healthz']) assert.equal((await fetch(origin + path)).status, 404)
    assert.equal((await fetch(mint().metricsUrl, { method: 'POST' })).status, 404)
  })
})

describeOn(bothEngines(), 'Metrics of separate processes', (mongoUrl) => {
  it('are those of docs/operations.md and of the dashboards, and report calls, consumer lag and dead letters', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const { call, gateway: G, contracts: C, businesses: B } = await mint.startAll({ WEBHOOK_KEY: 'k'.repeat(32) })
    const parts = { G, C, B }
    const read = async (letter: keyof typeof parts): Promise<ReadMetrics> =>
      await readMetrics(await metricsUrlOf(parts[letter]))
    assert.equal((await call('POST', '/businesses', { legalName: 'École du Nord' })).status, 201)
    await waitFor(async () => (await read('C')).value('mint_consumer_handled_messages_total') === 1, {
      what: 'the message to be handled',
    })
    for (const letter of ['G', 'C', 'B'] as const) {
      // The gateway opens its database only after it has started serving.
      await waitFor(async () => (await read(letter)).value('mint_log_position') !== undefined, { every: 100 })
      assert.deepEqual((await read(letter)).names, documented(letter), letter)
    }

    const create = { method: 'mint.businesses.v1.BusinessesService/CreateBusiness', code: 'ok' }
    assert.equal((await read('G')).value('mint_grpc_client_call_duration_seconds_count', create), 1)
    const businesses = await read('B')
    assert.equal(businesses.value('mint_grpc_server_call_duration_seconds_count', create), 1)
    assert.equal(businesses.value('mint_append_batch_commits_sum', { service: 'businesses' }), 1)
    await waitFor(async () => (await read('C')).value('mint_consumer_lag_messages') === 0, { every: 100 })
    assert.equal((await read('C')).value('mint_dead_letters'), 0)

    await useEverything(call)
    const reads: ReadMetrics[] = []
    const unknown = async (): Promise<string[]> => {
      for (const letter of ['G', 'C', 'B'] as const) reads.push(await read(letter))
      // Those of certificates and files.
      return exceptDocumented('TF', missingIn(reads))
    }
    // What can't be read within a second is left out, and the consumer's lag until Kafka has answered.
    await waitFor(async () => (await unknown()).length === 0, { timeout: 15_000, every: 200 }).catch(() => {})
    assertNone(await unknown())
  })
})
