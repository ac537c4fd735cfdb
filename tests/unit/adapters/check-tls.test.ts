import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { checkTls } from '../../../shared/adapters/tls/check-tls.ts'
import { createAuthority } from '../../support/certificates.ts'
import { newFolder } from '../../support/temporary-folder.ts'

describe('TLS files for an engine', () => {
  it('are checked to be complete and to match before they are used', () => {
    const folder = newFolder()
    const authority = createAuthority(folder)
    const read = ({ cert, key }: { cert: string; key: string }) => ({
      cert: readFileSync(cert),
      key: readFileSync(key),
    })
    const one = read(authority.issue('one'))
    const other = read(authority.issue('other'))
    const ca = readFileSync(authority.cert)
    const bundle = Buffer.concat([ca, one.cert])
    const names = { ca: 'CA_FILE', pair: 'PAIR_FILE' }

    for (const good of [{}, { ca }, { ca: bundle }, one, { ca, ...one }]) checkTls(good, names)
    const noCa = /^CA_FILE contains no complete PEM certificates/
    for (const bad of [Buffer.alloc(0), bundle.subarray(0, -100), Buffer.from('no PEM')])
      assert.throws(() => checkTls({ ca: bad }, names), { message: noCa })
    const noPair = /^PAIR_FILE contain no PEM certificate with its key/
    for (const bad of [
      { cert: one.cert, key: other.key },
      { cert: one.cert.subarray(0, 100), key: one.key },
      { cert: one.cert, key: one.key.subarray(0, 100) },
    ])
      assert.throws(() => checkTls(bad, names), { message: noPair })
  })
})
