import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bareEnvironment } from '../../support/bare-environment.ts'
import { type CertificateFiles, createAuthority, replaceFile, type TestAuthority } from '../../support/certificates.ts'
import { runMint, startedMint } from '../../support/mint-process.ts'
import { servedCertificate } from '../../support/served-certificate.ts'
import { newFolder, type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const run = promisify(execFile)

describe('npm start with certificates', () => {
  let folder: TemporaryFolder
  let ca: TestAuthority
  let own: CertificateFiles
  before(() => {
    folder = temporaryFolder()
    ca = createAuthority(folder.path)
    own = ca.issue('own')
  })
  after(() => folder.remove())

  it('prints an https address and a curl line that works when it is pasted, passes health checks, and adopts renewed files, with gRPC over mutual TLS', async () => {
    const settings = {
      TLS_CERT_FILE: own.cert,
      TLS_KEY_FILE: own.key,
      GRPC_TLS_CERT_FILE: own.cert,
      GRPC_TLS_KEY_FILE: own.key,
      GRPC_TLS_CA_FILE: ca.cert,
    }
    const environment = { ...settings, GATEWAY_TRANSPORT: 'grpc' }
    const mint = await startedMint({ dataFolder: newFolder(), environment })
    assert.match(mint.url, /^https:/)
    const line = /^.*curl.*$/m.exec(mint.output())?.[0] ?? ''
    const { id, totalFeeWithTax } = JSON.parse((await run('sh', ['-c', line])).stdout)
    assert.deepEqual({ id, totalFeeWithTax }, { id: 1, totalFeeWithTax: 169.5 })
    // Health checks with the same settings pass, others don’t.
    const addresses = [`${mint.url.replace('https', 'http')}/readyz`, `grpc://${mint.contractsAddress}`]
    for (const address of addresses) {
      const ask = (env: object) =>
        run(process.execPath, ['cli/health.ts', address], { env: { ...bareEnvironment(), ...env } })
      await ask(settings)
      await assert.rejects(ask({}), /is unhealthy/)
    }
    // Without an address, one healthy part is enough: the image doesn't know which part it runs.
    const askAny = (ports: object) =>
      run(process.execPath, ['cli/health.ts'], { env: { ...bareEnvironment(), ...settings, ...ports } })
    const noPorts = { PORT: '1', CONTRACTS_PORT: '1', BUSINESSES_PORT: '1' }
    await askAny({ ...noPorts, PORT: new URL(mint.url).port })
    await askAny({ ...noPorts, CONTRACTS_PORT: mint.contractsAddress.split(':').at(-1) })
    const standard = /:8080\/readyz is unhealthy: .*\ngrpc:.*:50051 is unhealthy: .*\ngrpc:.*:50052 is unhealthy: /
    await assert.rejects(askAny({ PORT: '', CONTRACTS_PORT: '', BUSINESSES_PORT: '' }), standard)
    await assert.rejects(askAny(noPorts), /:1\/readyz is unhealthy: .*\n(.*is unhealthy: .*\n){2}/)

    const renewed = ca.issue('renewed')
    replaceFile(own.key, renewed.key)
    replaceFile(own.cert, renewed.cert)
    const served = async () => (await servedCertificate(Number(new URL(mint.url).port))).subject.CN
    await waitFor(async () => (await served()) === 'renewed', { timeout: 60_000, what: 'the renewed certificate' })
  })

  it('refuses in one line to start with files that can’t be used', async () => {
    const environment = { TLS_CERT_FILE: own.cert, TLS_KEY_FILE: ca.key }
    const { exitCode, errors } = await runMint({ dataFolder: newFolder(), environment }).ended
    const line = `TLS_KEY_FILE=${ca.key} is not the key of TLS_CERT_FILE, or needs a passphrase`
    assert.deepEqual({ exitCode, errors }, { exitCode: 1, errors: `Mint can't start: ${line}\n` })
  })
})
