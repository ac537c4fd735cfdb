import assert from 'node:assert/strict'
import { bothEngines, describeOn } from '../../support/engines.ts'
import type { Rest } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

const ROWS = 6_000

describeOn(bothEngines(), 'CSV import through separate processes on MongoDB and Kafka', (mongoUrl) => {
  const totalOf = async (call: Rest, path: string): Promise<number> => {
    const answer = await call('GET', `${path}?limit=1`).catch(() => undefined)
    return answer?.status === 200 ? answer.body.total : 0
  }

  it('resumes after the service and the gateway were killed midway, and creates nothing twice', async () => {
    const mint = await newSeparateMint(mongoUrl)
    mint.start('businesses')
    let contracts = mint.start('contracts')
    let gateway = mint.start('gateway')
    let call = await mint.callerOf(gateway)
    const isReady = async () => (await call('GET', '/readyz').catch(() => undefined))?.status === 200
    const ready = () => waitFor(isReady, { timeout: 60_000, what: 'the services' })
    await ready()
    await call('POST', '/businesses', { legalName: 'École' })
    await waitFor(async () => (await totalOf(call, '/clients')) === 1, { timeout: 30_000, what: 'the client' })

    const rows = Array.from({ length: ROWS }, (_, index) => `école,Service ${index},audit,${index}.25\n`)
    const file = `client,serviceName,serviceType,serviceFee\n${rows.join('')}`
    const headers = { 'content-type': 'text/csv', 'idempotency-key': 'all' }
    const send = () => call('POST', '/contracts.csv', file, headers)
    const rowsWritten = (count: number) =>
      waitFor(async () => (await totalOf(call, '/contracts')) > count, { timeout: 30_000, what: `${count} rows` })

    const first = send()
    await rowsWritten(100)
    await contracts.kill()
    assert.deepEqual([(await first).status, (await first).body.code], [503, 'outcome_unknown'])

    contracts = mint.start('contracts')
    await ready()
    const written = await totalOf(call, '/contracts')
    assert.ok(written > 100 && written < ROWS, `${written} rows`)
    const second = send().catch(() => 'cut')
    await rowsWritten(written + 100)
    await gateway.kill()
    assert.equal(await second, 'cut')

    gateway = mint.start('gateway')
    call = await mint.callerOf(gateway)
    await ready()
    const { status, body } = await send()
    assert.deepEqual([status, body.rows, body.created + body.replayed], [200, ROWS, ROWS])
    assert.ok(body.replayed > written)
    assert.equal(await totalOf(call, '/contracts'), ROWS)
    assert.deepEqual((await send()).body, { rows: ROWS, created: 0, replayed: ROWS })
  }).timeout(180_000)
})
