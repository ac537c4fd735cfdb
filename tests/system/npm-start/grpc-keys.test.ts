import { grpcKeyRules } from '../../support/grpc-key-rules.ts'
import { type MintProcess, startMint } from '../../support/mint-process.ts'
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
  })
}
