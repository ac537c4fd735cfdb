import assert from 'node:assert/strict'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { logLines } from '../../support/log-lines.ts'
import type { PartProcess } from '../../support/part-process.ts'
import { aNewContract, type Rest } from '../../support/rest.ts'
import { newSeparateMint, type SeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

describeOn(bothEngines(), 'A gateway and its services as separate processes', (mongoUrl) => {
  it('are not ready while one is down, and record the same request id in their logs and in the event', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const start = (part: 'contracts' | 'businesses' | 'gateway') => mint.start(part, { LOG_LEVEL: 'debug' })
    const first = start('contracts')
    start('businesses')
    const gateway = start('gateway')
    const call = await mint.callerOf(gateway)
    await waitUntilMissing(call, [])
    await first.kill()
    await waitUntilMissing(call, ['contracts'])
    const answers = await Promise.all(Array.from({ length: 50 }, () => call('GET', '/readyz')))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([503]))
    const contracts = start('contracts')
    await waitUntilMissing(call, [])

    const headers = { 'x-request-id': 'request-of-this-test' }
    const { status, body } = await call('POST', '/contracts', aNewContract(), headers)
    assert.equal(status, 201)
    const about = (part: PartProcess) =>
      logLines(part.log()).filter(({ requestId }) => requestId === headers['x-request-id'])
    await waitFor(() => about(gateway).length >= 2)
    const method = 'mint.contracts.v1.ContractsService/CreateContract'
    assert.deepEqual(
      about(gateway).map(({ msg, method, code, status }) => ({ msg, method, code, status })),
      [
        { msg: 'called', method, code: 'ok', status: undefined },
        { msg: 'answered', method: 'POST', code: undefined, status: 201 },
      ],
    )
    assert.deepEqual(
      about(contracts).map(({ msg, method, code }) => ({ msg, method, code })),
      [{ msg: 'called', method, code: 'ok' }],
    )
    assert.equal((await eventOf(mint, mongoUrl, body.id))?.requestId, headers['x-request-id'])
  }).timeout(60_000)
})

/** The first event of a contract in its log. */
async function eventOf({ namespace }: SeparateMint, url: string, contractId: number) {
  const database = await openMongoDatabase({ url, name: `${namespace}_contracts`, views: [] })
  const [event] = await database.events.readStream({ category: 'contract', id: String(contractId) })
  await database.close()
  return event
}

/** Polls /readyz until it names exactly these. */
async function waitUntilMissing(call: Rest, missing: readonly string[]): Promise<void> {
  await waitFor(
    async () => {
      const { status, body } = await call('GET', '/readyz', undefined, { authorization: undefined })
      assert.equal(status, body.missing.length === 0 ? 200 : 503)
      return JSON.stringify(body.missing) === JSON.stringify(missing)
    },
    { timeout: 20_000, every: 100, what: `/readyz to miss exactly ${missing.join(', ') || 'nothing'}` },
  )
}
