import assert from 'node:assert/strict'
import { grpcKeyRules } from '../../support/grpc-key-rules.ts'
import { type MintProcess, sharedMint, startedMint } from '../../support/mint-process.ts'
import { isOpenElsewhere, PLAIN_TEXT_WARNING } from '../../support/open-elsewhere.ts'
import { aNewContract, restClient } from '../../support/rest.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Whether the ports are open on non-loopback addresses, and whether the log warns about it. */
async function openness({ contractsAddress, businessesAddress, errors }: MintProcess) {
  const open = await Promise.all([contractsAddress, businessesAddress].map(isOpenElsewhere))
  return [open, errors().includes(PLAIN_TEXT_WARNING)]
}

describe('The gRPC ports of npm start', () => {
  // Its own gateway uses them, too.
  const mint = sharedMint({ environment: { GATEWAY_TRANSPORT: 'grpc', RATE_LIMIT_PER_SECOND: '300' } })
  grpcKeyRules(() => ({ ...mint(), admin: restClient(mint()) }))

  it('answer all concurrent requests of a key, however many', async () => {
    const call = restClient(mint())
    await call('POST', '/contracts', aNewContract())
    const paths = Array.from({ length: 12 }, () => ['/contracts/1', '/contracts?limit=2']).flat()
    const answers = await Promise.all(paths.map((path) => call('GET', path)))
    assert.ok(answers.every(({ status }) => status === 200))
  })

  it('listen on loopback', async () => assert.deepEqual(await openness(mint()), [[false, false], false]))
})

describe('The gRPC ports of npm start, on all addresses of the machine', () => {
  it('cause a warning in the log without TLS', async () => {
    const mint = await startedMint({ dataFolder: newFolder(), environment: { GRPC_HOST: '0.0.0.0' } })
    assert.deepEqual(await openness(mint), [[true, true], true])
  })
})

describe('A call over gRPC within npm start', () => {
  it('has one line in the log at level debug', async () => {
    const environment = { GATEWAY_TRANSPORT: 'grpc', LOG_LEVEL: 'debug' }
    const mint = await startedMint({ dataFolder: newFolder(), environment })
    const call = restClient(mint)
    const headers = { 'x-request-id': 'request-of-this-test' }
    assert.equal((await call('GET', '/contracts', undefined, headers)).status, 200)
    const lines = () =>
      mint
        .errors()
        .split('\n')
        .filter((line) => line.includes(headers['x-request-id']))
    await waitFor(() => lines().some((line) => line.includes('"answered"')), { what: 'the line of the request' })
    assert.equal(lines().filter((line) => line.includes('"called"')).length, 1)
  })
})
