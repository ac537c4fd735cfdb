import assert from 'node:assert/strict'
import { grpcKeyRules } from '../../support/grpc-key-rules.ts'
import { type MintProcess, startMint } from '../../support/mint-process.ts'
import { isOpenElsewhere, PLAIN_TEXT_WARNING } from '../../support/open-elsewhere.ts'
import { restClient } from '../../support/rest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

for (const transport of ['direct', 'grpc']) {
  describe(`The gRPC ports of npm start (${transport})`, () => {
    const folder = temporaryFolder()
    let mint: MintProcess
    before(async () => {
      mint = await startMint({ dataFolder: folder.path, environment: { GATEWAY_TRANSPORT: transport } })
    })
    after(async () => {
      await mint.kill()
      folder.remove()
    })
    grpcKeyRules(() => ({ ...mint, admin: restClient(mint) }))

    it('listen on loopback', async () => {
      const open = await Promise.all([mint.contractsAddress, mint.businessesAddress].map(isOpenElsewhere))
      assert.deepEqual([open, mint.errors().includes(PLAIN_TEXT_WARNING)], [[false, false], false])
    })
  })
}

describe('The gRPC ports of npm start, on all addresses of the machine', () => {
  it('cause a warning in the log without TLS', async () => {
    const folder = temporaryFolder()
    const mint = await startMint({ dataFolder: folder.path, environment: { GRPC_HOST: '0.0.0.0' } })
    try {
      const open = await Promise.all([mint.contractsAddress, mint.businessesAddress].map(isOpenElsewhere))
      assert.deepEqual([open, mint.errors().includes(PLAIN_TEXT_WARNING)], [[true, true], true])
    } finally {
      await mint.kill()
      folder.remove()
    }
  })
})
