import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { aNewContract, create } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

describeOn(bothEngines(), 'Gateway, contracts and businesses as separate processes', (mongoUrl) => {
  it('can be started in any order, serve the whole API together, and recover without a restart when one was down', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const gateway = mint.start('gateway')
    const call = await mint.callerOf(gateway)
    const isLogged = (line: string) => waitFor(() => gateway.log().includes(line), { what: `the line "${line}"` })
    await isLogged('waiting for contracts, businesses')
    const early = await call('POST', '/contracts', aNewContract())
    assert.deepEqual([early.status, early.body.code], [503, 'unavailable'])
    const contracts = mint.start('contracts')
    await contracts.ready()
    assert.equal((await create(call, '/contracts', aNewContract())).id, 1)
    const businesses = mint.start('businesses')
    await businesses.ready()
    await isLogged('ready: everything required is available')

    const business = await create(call, '/businesses', { legalName: 'École du Nord' })
    const client = await call('GET', `/clients/${business.clientId}`)
    assert.deepEqual([client.status, client.body.displayName], [200, 'École du Nord'])
    const contract = await create(call, '/contracts', aNewContract({ clientId: business.clientId }))
    const edited = await call('PATCH', `/contracts/${contract.id}`, { serviceFee: 19.99, taxPercent: 8.25 })
    assert.deepEqual([edited.status, edited.body.totalFeeWithTax], [200, 21.639175])
    const listed = await call('GET', `/contracts?clientId=${business.clientId}&search=ANNUAL`)
    assert.deepEqual(listed.body, { contracts: [edited.body], total: 1 })
    await waitFor(async () => (await call('GET', '/clients?search=école')).body.total === 1, {
      what: 'the topic to deliver the client',
    })
    const report = await call('GET', `/reports/contracts?groupBy=clientId&clientId=${business.clientId}`)
    const sums = { count: 1, serviceFee: '19.99', tax: '1.649175', totalFeeWithTax: '21.639175', billed: '21.64' }
    assert.deepEqual(report.body.rows, [{ clientId: business.clientId, displayName: 'École du Nord', ...sums }])

    const kept = edited.body
    await contracts.kill()
    const headers = { 'idempotency-key': randomUUID() }
    const onItsWay = await call('POST', '/contracts', aNewContract(), headers)
    // Either is right: the gateway may have sent it before it noticed the lost connection.
    assert.ok(['503 outcome_unknown', '503 unavailable'].includes(`${onItsWay.status} ${onItsWay.body.code}`))
    const refused = await call('POST', '/contracts', aNewContract())
    assert.deepEqual([refused.status, refused.body.code], [503, 'unavailable'])
    assert.ok(refused.headers.get('retry-after'))
    await create(call, '/businesses', { legalName: 'Goes on' })

    const restarted = mint.start('contracts')
    await restarted.ready()
    const path = `/contracts/${kept.id}`
    await waitFor(async () => (await call('GET', path)).status === 200, { what: 'contracts to be served again' })
    assert.deepEqual((await call('GET', path)).body, kept)
    const again = await call('POST', '/contracts', aNewContract(), headers)
    assert.deepEqual([again.status, again.body.id > kept.id], [201, true])
    assert.equal((await call('GET', '/contracts')).body.total, 3)
    assert.deepEqual(await Promise.all([restarted, businesses].map((part) => part.end())), [0, 0])
  })
})
