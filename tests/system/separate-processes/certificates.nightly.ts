import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'undici'
import { type CertificateFiles, createAuthority, replaceFile, type TestAuthority } from '../../support/certificates.ts'
import { atEnd } from '../../support/cleanup.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import type { PartProcess } from '../../support/part-process.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { servedCertificate } from '../../support/served-certificate.ts'
import { startSteadyLoad } from '../../support/steady-load.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const PARTS = ['businesses', 'contracts', 'gateway'] as const
const CLIENT = '11111111-1111-1111-1111-111111111111'
/** How many requests are answered after each change, before the next. */
const ANSWERS = 60

describeOn(bothEngines(), 'Separate processes with certificates', (mongoUrl) => {
  /** All three processes over TLS, and a caller that trusts both CAs. */
  async function secureMint() {
    const folder = newFolder()
    const [former, coming] = [createAuthority(folder, 'former'), createAuthority(folder, 'coming')]
    const files = { cert: `${folder}/tls.pem`, key: `${folder}/tls.key`, ca: `${folder}/trusted.pem` }
    const bundle = (...authorities: TestAuthority[]): string => {
      const file = `${folder}/bundle.pem`
      writeFileSync(file, Buffer.concat(authorities.map(({ cert }) => readFileSync(cert))))
      return file
    }
    const install = ({ cert, key }: CertificateFiles, ...authorities: TestAuthority[]): void => {
      replaceFile(files.key, key)
      replaceFile(files.cert, cert)
      replaceFile(files.ca, bundle(...authorities))
    }
    install(former.issue('first'), former)
    const mint = await newSeparateMint(mongoUrl)
    const grpc = { GRPC_TLS_CERT_FILE: files.cert, GRPC_TLS_KEY_FILE: files.key, GRPC_TLS_CA_FILE: files.ca }
    const rest = { TLS_CERT_FILE: files.cert, TLS_KEY_FILE: files.key }
    const start = (part: (typeof PARTS)[number]) => mint.start(part, part === 'gateway' ? { ...grpc, ...rest } : grpc)
    const dispatcher = new Agent({ connect: { ca: [readFileSync(former.cert), readFileSync(coming.cert)] } })
    atEnd(() => dispatcher.destroy())
    const loadOn = async (gateway: PartProcess) =>
      startSteadyLoad({ url: `https://${await gateway.ready()}`, dispatcher }, mint.key, CLIENT)
    return { folder, former, coming, files, install, mint, start, loadOn }
  }

  it('adopt new certificates and then a new CA without failing a single call', async () => {
    const { former, coming, files, install, mint, start, loadOn } = await secureMint()
    const parts = PARTS.map(start)
    const gateway = parts[2] as PartProcess
    await Promise.all(parts.map((part) => part.ready()))
    const ports = [await gateway.ready(), mint.contractsAddress, mint.businessesAddress].map((at) =>
      Number(at.split(':')[1]),
    )
    const load = await loadOn(gateway)
    atEnd(() => load.finish())
    const own = () => ({ cert: readFileSync(files.cert), key: readFileSync(files.key) })
    const served = async () =>
      await Promise.all(ports.map(async (port) => (await servedCertificate(port, own())).subject.CN))

    const last = coming.issue('of-the-new-ca')
    const stages: [string, CertificateFiles, ...TestAuthority[]][] = [
      ['renewed', former.issue('renewed'), former],
      ['with-both', former.issue('with-both'), former, coming],
      ['of-the-new-ca', last, former, coming],
      ['of-the-new-ca', last, coming],
    ]
    for (const [name, ...set] of stages) {
      install(...set)
      const inUse = () => parts.map((part) => part.log().split('"use":"grpc","files"').length)
      const before = inUse()
      await waitFor(async () => inUse().every((count, index) => count > (before[index] ?? 0)), { timeout: 60_000 })
      await waitFor(async () => (await served()).every((subject) => subject === name), { timeout: 60_000 })
      const answered = load.answered()
      await waitFor(() => load.answered() > answered + ANSWERS, { timeout: 60_000 })
    }
    // A caller that trusts only the new CA from the start.
    const fresh = await loadOn(start('gateway'))
    await waitFor(() => fresh.answered() > 20, { timeout: 60_000 })
    const results = await Promise.all([load.finish(), fresh.finish()])
    assert.deepEqual([...load.failures, ...fresh.failures], [])
    assert.ok(results[0].created.size > 20)
  }).timeout(300_000)
})
