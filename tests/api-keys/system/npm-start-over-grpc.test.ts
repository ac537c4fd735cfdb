import assert from 'node:assert/strict'
import { grpcKeyRules } from '../../support/grpc-key-rules.ts'
import { type MintProcess, sharedMint, startedMint } from '../../support/mint-process.ts'
import { isOpenElsewhere, PLAIN_TEXT_WARNING } from '../../support/open-elsewhere.ts'
import { restClient } from '../../support/rest.ts'
import { newFolder } from '../../support/temporary-folder.ts'

/** Whether the ports are open on other addresses than that of loopback, and the log warns of that. */
async function openness({ contractsAddress, businessesAddress, errors }: MintProcess) {
  const open = await Promise.all([contractsAddress, businessesAddress].map(isOpenElsewhere))
  return [open, errors().includes(PLAIN_TEXT_WARNING)]
}

for (const transport of ['direct', 'grpc']) {
  describe(`The gRPC ports of npm start (${transport})`, () => {
    const mint = sharedMint({ environment: { GATEWAY_TRANSPORT: transport } })
    grpcKeyRules(() => ({ ...mint(), admin: restClient(mint()) }))

    it('listen on loopback', async () => assert.deepEqual(await openness(mint()), [[false, false], false]))
  })
}

describe('The gRPC ports of npm start, on all addresses of the machine', () => {
  it('cause a warning in the log without TLS', async () => {
    const mint = await startedMint({ dataFolder: newFolder(), environment: { GRPC_HOST: '0.0.0.0' } })
    assert.deepEqual(await openness(mint), [[true, true], true])
  })
})
