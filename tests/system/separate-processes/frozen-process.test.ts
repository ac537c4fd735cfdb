import assert from 'node:assert/strict'
import { contractsViews } from '../../../services/contracts/service.ts'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import { atEnd } from '../../support/cleanup.ts'
import { closeThrough } from '../../support/close-through.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { freePort } from '../../support/free-port.ts'
import { aCall } from '../../support/requests.ts'
import { aNewContract } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { contractsOn } from '../../support/services.ts'
import { waitFor } from '../../support/wait-for.ts'

const JANUARY = aNewContract({ serviceDate: '2026-01-15' })
const FEBRUARY = aNewContract({ serviceDate: '2026-02-15' })
const AT_VERSION_4 = { 'If-Match': '"4"' }

describeOn(bothEngines(), 'A contracts process that freezes with requests in its sockets', (mongoUrl) => {
  it('executes none of those that another process has since refused', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const ports = [await freePort(), await freePort()] as const
    const start = (port: number) => mint.start('contracts', { CONTRACTS_PORT: `${port}`, LOG_LEVEL: 'debug' })
    const appender = start(ports[0])
    mint.start('businesses')
    const gateway = mint.start('gateway', { CONTRACTS_ADDRESS: `ipv4:${ports.map((port) => `127.0.0.1:${port}`)}` })
    const owner = await mint.callerOf(gateway)
    const isReady = async () => (await owner('GET', '/readyz')).status === 200
    await waitFor(isReady, { timeout: 60_000, what: 'the services' })
    const { key } = (await owner('POST', '/api-keys', BOOKKEEPING)).body
    const call = async (method: string, path: string, id: string, body: object, headers: object = {}) => {
      const url = `http://${await gateway.ready()}${path}`
      const sent = {
        ...headers,
        authorization: `Bearer ${key}`,
        'x-request-id': id,
        'content-type': 'application/json',
      }
      return (await fetch(url, { method, body: JSON.stringify(body), headers: sent })).status
    }
    assert.equal(await call('POST', '/contracts', 'first', FEBRUARY), 201)
    await start(ports[1]).ready()
    const database = await openMongoDatabase({
      url: mongoUrl,
      name: `${mint.namespace}_contracts`,
      views: contractsViews,
    })
    atEnd(() => database.close())
    const edit = (notes: string) => contractsOn(database).editContract({ id: 1, notes }, aCall())
    const ids = ['create', 'create-keyed', 'edit', 'edit-keyed']
    const isAnswered = (id: string) => appender.log().includes(`"requestId":"${id}","method"`)

    // The gateway leaves streams without calls after a few seconds, and then takes the first process that it finds.
    const isUsed = async () => {
      assert.equal(await call('PATCH', '/contracts/1', 'last', { notes: 'in time' }), 200)
      return isAnswered('last')
    }
    await waitFor(isUsed, { what: 'a write through the first process' })
    appender.signal('SIGSTOP')
    const answers = Promise.all([
      call('POST', '/contracts', 'create', JANUARY),
      call('POST', '/contracts', 'create-keyed', JANUARY, { 'idempotency-key': 'a' }),
      call('PATCH', '/contracts/1', 'edit', { notes: 'late' }, AT_VERSION_4),
      call('PATCH', '/contracts/1', 'edit-keyed', { notes: 'later' }, { ...AT_VERSION_4, 'idempotency-key': 'b' }),
    ])
    await closeThrough(database, '2026-01-31')
    await edit('of somebody else')
    assert.deepEqual(await answers, [409, 409, 412, 412])

    await closeThrough(database, null)
    await edit('at version 4')
    appender.signal('SIGCONT')
    await waitFor(() => ids.every(isAnswered), { timeout: 30_000, what: 'the thawed process to answer all of them' })
    const contracts = contractsOn(database)
    assert.equal((await contracts.listContracts({ search: '', limit: 0, offset: 0 })).total, 1)
    assert.equal((await contracts.getContract({ id: 1 })).contract?.notes, 'at version 4')

    const again = () => call('POST', '/contracts', 'again', JANUARY, { 'idempotency-key': 'a' })
    assert.deepEqual([await again(), await again()], [201, 201])
    assert.equal((await contracts.listContracts({ search: '', limit: 0, offset: 0 })).total, 2)
  }).timeout(120_000)
})

const BOOKKEEPING = { name: 'Bookkeeping', scopes: ['contracts:read', 'contracts:write'] }
