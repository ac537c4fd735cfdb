import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { grpcTlsFiles, type TlsFiles } from '../../../shared/runtime/settings/tls.ts'
import { parseTlsFiles } from '../../../shared/runtime/tls/certificates.ts'
import { createAuthority } from '../../support/certificates.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts'

describe('TLS files', () => {
  let folder: TemporaryFolder
  let ca: ReturnType<typeof createAuthority>
  let other: ReturnType<typeof createAuthority>
  before(() => {
    folder = temporaryFolder()
    ca = createAuthority(folder.path)
    other = createAuthority(folder.path, 'other')
  })
  after(() => folder.remove())

  const filesOf = (cert: string, key: string, authority?: string) => {
    const files = grpcTlsFiles({ GRPC_TLS_CERT_FILE: cert, GRPC_TLS_KEY_FILE: key, GRPC_TLS_CA_FILE: authority })
    return files as TlsFiles
  }
  const parse = (files: TlsFiles) =>
    parseTlsFiles(
      files,
      Object.fromEntries(Object.entries(files.paths).map(([name, path]) => [name, readFileSync(path)])),
    )
  const made = (name: string, ...parts: readonly Buffer[]): string => {
    const file = `${folder.path}/${name}`
    writeFileSync(file, Buffer.concat(parts))
    return file
  }

  it('are used if certificate, key and CA match', () => {
    const { cert, key } = ca.issue('good', { days: 7 })
    const days = (parse(filesOf(cert, key, ca.cert)).expiresAt - Date.now()) / 86_400_000
    assert.ok(days > 6.9 && days < 7.1, `${days}`)
    assert.equal(parse(filesOf(cert, key)).ca, undefined)
    const both = made('both.pem', readFileSync(other.cert), readFileSync(ca.cert))
    assert.deepEqual(parse(filesOf(cert, key, both)).ca, readFileSync(both))
  })

  it('are refused, in a line that names setting and file, if they are incomplete, mismatched or expired', () => {
    const { cert, key } = ca.issue('fits')
    const expired = ca.issue('expired', { days: -1 })
    const half = made('half.pem', readFileSync(cert).subarray(0, 300))
    const halfKey = made('half.key', readFileSync(key).subarray(0, 100))
    const halfBundle = made('half-bundle.pem', readFileSync(ca.cert), readFileSync(other.cert).subarray(0, 300))
    const cases: [string, string, string, string][] = [
      [half, key, ca.cert, `GRPC_TLS_CERT_FILE=${half} contains no complete PEM certificate`],
      [
        cert,
        halfKey,
        ca.cert,
        `GRPC_TLS_KEY_FILE=${halfKey} is not the key of GRPC_TLS_CERT_FILE, or needs a passphrase`,
      ],
      [
        cert,
        ca.key,
        ca.cert,
        `GRPC_TLS_KEY_FILE=${ca.key} is not the key of GRPC_TLS_CERT_FILE, or needs a passphrase`,
      ],
      [cert, key, halfBundle, `GRPC_TLS_CA_FILE=${halfBundle} contains no complete PEM certificate`],
      [cert, key, key, `GRPC_TLS_CA_FILE=${key} contains no complete PEM certificate`],
      [cert, key, other.cert, `GRPC_TLS_CERT_FILE=${cert} is not signed by a valid certificate in GRPC_TLS_CA_FILE`],
    ]
    for (const [certFile, keyFile, caFile, message] of cases) {
      assert.throws(() => parse(filesOf(certFile, keyFile, caFile)), { message })
    }
    assert.throws(
      () => parse(filesOf(expired.cert, expired.key, ca.cert)),
      /^Error: GRPC_TLS_CERT_FILE=\S+ expired on /,
    )
  })

  it('are refused with the name of the missing one', () => {
    const line =
      'GRPC_TLS_KEY_FILE is not set; needed with GRPC_TLS_CERT_FILE and GRPC_TLS_CA_FILE: the path of a PEM file'
    assert.throws(() => grpcTlsFiles({ GRPC_TLS_CERT_FILE: 'a', GRPC_TLS_CA_FILE: 'b' }), { message: line })
    assert.equal(grpcTlsFiles({}), undefined)
  })
})
