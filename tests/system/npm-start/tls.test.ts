import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { bareEnvironment } from '../../support/bare-environment.ts'
import { type CertificateFiles, createAuthority, replaceFile, type TestAuthority } from '../../support/certificates.ts'
import { readMetrics } from '../../support/metrics.ts'
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

  it('prints an https address and a curl line that works when it is pasted, and passes health checks, with gRPC over mutual TLS', async () => {
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
  })

  it('refuses in one line to start with files that can’t be used', async () => {
    const environment = { TLS_CERT_FILE: own.cert, TLS_KEY_FILE: ca.key }
    const { exitCode, errors } = await runMint({ dataFolder: newFolder(), environment }).ended
    const line = `TLS_KEY_FILE=${ca.key} is not the key of TLS_CERT_FILE, or needs a passphrase`
    assert.deepEqual({ exitCode, errors }, { exitCode: 1, errors: `Mint can't start: ${line}\n` })
  })

  it('keeps its certificate while the files are incomplete, mismatched or expired, with a log line and a metric', async () => {
    const files = { cert: `${folder.path}/used.pem`, key: `${folder.path}/used.key` }
    const install = ({ cert, key }: CertificateFiles): void => {
      replaceFile(files.key, key)
      replaceFile(files.cert, cert)
    }
    install(own)
    const environment = { TLS_CERT_FILE: files.cert, TLS_KEY_FILE: files.key }
    const mint = await startedMint({ dataFolder: newFolder(), environment })
    const port = Number(new URL(mint.url).port)
    const served = async () => (await servedCertificate(port)).subject.CN
    const lines = () => mint.errors().match(/"msg":"changed files can’t be used[^"]*"/g) ?? []
    const figure = async (name: string) => (await readMetrics(mint.metricsUrl)).value(name, { use: 'rest' })

    writeFileSync(files.cert, readFileSync(own.cert).subarray(0, 200))
    await waitFor(() => lines().length === 1, { timeout: 10_000 })
    install({ cert: own.cert, key: ca.key })
    await waitFor(() => lines().length === 2, { timeout: 10_000 })
    install(ca.issue('expired', { days: -1 }))
    await waitFor(() => lines().length === 3, { timeout: 10_000 })
    assert.equal(await served(), 'own')
    await waitFor(async () => (await figure('mint_files_unusable')) === 1)
    const before = 'changed files can’t be used, the previous ones stay in use: TLS_'
    for (const [index, reason] of [
      'CERT_FILE=\\S+ contains no complete',
      'KEY_FILE=\\S+ is not the key',
      'CERT_FILE=\\S+ expired',
    ].entries()) {
      assert.match(lines()[index] ?? '', new RegExp(before + reason))
    }

    install(ca.issue('renewed', { days: 9 }))
    await waitFor(async () => (await served()) === 'renewed', { timeout: 60_000 })
    await waitFor(async () => (await figure('mint_files_unusable')) === 0)
    assert.equal(Math.round((await figure('mint_tls_certificate_days_left')) ?? 0), 9)
  })
})
