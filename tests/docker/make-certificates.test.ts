import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../support/temporary-folder.ts'

const MAKE_CERTIFICATES = 'docs/examples/make-certificates'

describe(MAKE_CERTIFICATES, () => {
  it('renews certificates from the same CA, and makes no other one while the CA’s key is elsewhere', () => {
    const folder = newFolder()
    const make = () => spawnSync(MAKE_CERTIFICATES, [folder], { encoding: 'utf8' })
    const contents = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
    const files = (): Record<string, string> => Object.fromEntries(contents())
    assert.equal(make().status, 0)
    const first = files()
    renameSync(join(folder, 'ca.key'), `${folder}.key`)
    const { status, stderr } = make()
    assert.deepEqual([status, stderr.split(':')[0]], [1, `${folder}/ca.key is missing`])
    renameSync(`${folder}.key`, join(folder, 'ca.key'))
    assert.deepEqual(files(), first)
    assert.equal(make().status, 0)
    assert.equal(files()['ca.pem'], first['ca.pem'])
    assert.notEqual(files()['gateway.cert.pem'], first['gateway.cert.pem'])
  })
})
