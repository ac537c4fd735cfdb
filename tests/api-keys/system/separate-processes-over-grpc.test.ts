import assert from 'node:assert/strict'
import { atEnd } from '../../support/cleanup.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { freePort } from '../../support/free-port.ts'
import { TEST_SECRET, withKey } from '../../support/grpc-access.ts'
import { grpcCall } from '../../support/grpc-call.ts'
import { grpcKeyRules } from '../../support/grpc-key-rules.ts'
import { isOpenElsewhere, PLAIN_TEXT_WARNING } from '../../support/open-elsewhere.ts'
import { type PartProcess, startPart } from '../../support/part-process.ts'
import { restClient } from '../../support/rest.ts'
import { MAIN_FILES, type SeparateMint, separateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

const NEW_SECRET = 'a-new-secret-for-all-processes'
const GET = '/mint.contracts.v1.ContractsService/GetContract'

describeOn(bothEngines(), 'The gRPC ports of separate processes', (mongoUrl) => {
  let mint: SeparateMint
  let contracts: PartProcess
  let url = ''
  const statusOf = async (gateway: string, path: string) =>
    (await fetch(gateway + path, { headers: withKey(mint.key) })).status

  before(async () => {
    mint = await separateMint(mongoUrl)
    const started = await mint.startAll({ SERVICE_SECRET: `${TEST_SECRET}\n${NEW_SECRET}` })
    contracts = started.contracts
    url = `http://${await started.gateway.ready()}`
  })
  after(() => mint.remove())
  grpcKeyRules(() => ({ ...mint, admin: restClient({ url, key: mint.key }) }))

  it('accept any of their secrets from a gateway, so that secrets can be rotated one process at a time', async () => {
    const second = atEnd.kill(mint.start('gateway', { SERVICE_SECRET: NEW_SECRET }))
    const other = `http://${await second.ready()}`
    await waitFor(async () => (await statusOf(other, '/readyz')) === 200, {
      what: 'the other gateway',
    })
    assert.deepEqual([await statusOf(other, '/contracts'), await statusOf(url, '/contracts')], [200, 200])
  })

  it('refuse a gateway with a wrong secret, which stays unready and logs which setting is wrong', async () => {
    const stranger = atEnd.kill(mint.start('gateway', { SERVICE_SECRET: 'a-secret-that-nobody-has' }))
    const other = `http://${await stranger.ready()}`
    const line = /"outage":"invalid_api_key[^\n]*give all processes the same SERVICE_SECRET[^\n]*a service refuses this/
    await waitFor(() => line.test(stranger.log()), { what: 'the line in the log' })
    const readiness = async () => JSON.stringify(await (await fetch(`${other}/readyz`)).json())
    await waitFor(async () => (await readiness()).includes('"missing":["contracts","businesses"]'), {
      what: 'it to lack the services alone',
    })
    assert.equal(await statusOf(other, '/contracts'), 503)
    assert.ok(!stranger.log().includes('a-secret-that-nobody-has'))
  })

  it('listen on loopback unless GRPC_HOST says otherwise, and then log a warning without TLS', async () => {
    assert.deepEqual(
      [await isOpenElsewhere(mint.contractsAddress), contracts.log().includes(PLAIN_TEXT_WARNING)],
      [false, false],
    )
    const port = await freePort()
    const open = atEnd.kill(mint.start('contracts', { GRPC_HOST: '0.0.0.0', CONTRACTS_PORT: `${port}` }))
    assert.deepEqual([await isOpenElsewhere(await open.ready()), open.log().includes(PLAIN_TEXT_WARNING)], [true, true])
  })

  for (const part of ['contracts', 'businesses', 'gateway'] as const) {
    it(`do not start without a proof of identity (${part})`, async () => {
      const started = atEnd.kill(startPart(MAIN_FILES[part], { MONGO_URL: mongoUrl, KAFKA_BROKERS: 'localhost:1' }))
      await waitFor(() => !started.isRunning(), { what: 'the end of the process' })
      const lines = started.log().trim().split('\n')
      assert.equal(lines.length, 1, started.log())
      assert.match(lines[0] ?? '', /can't start: neither SERVICE_SECRET nor GRPC_TLS_CA_FILE is set: give all/)
      assert.equal(await started.end(), 1)
    })
  }

  it('record when a key was last used', async () => {
    const admin = restClient({ url, key: mint.key })
    const made = await admin('POST', '/api-keys', { name: 'Billing', scopes: ['contracts:read'] })
    const { id, key, createdAt } = made.body
    assert.equal((await grpcCall(mint.contractsAddress, GET, withKey(key))).code, 'INVALID_ARGUMENT')
    // It writes the last uses periodically, and when it stops.
    await contracts.end()
    const { lastUsedAt } = (await admin('GET', `/api-keys/${id}`)).body
    assert.ok(lastUsedAt >= createdAt, lastUsedAt)
  })
})
