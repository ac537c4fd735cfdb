import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstKey } from '../../../gateway/auth/first-key.ts'
import { hashSecret, isGeneratedSecret } from '../../../gateway/auth/secret.ts'
import { newUuid } from '../../../shared/ids.ts'
import { cleanup } from '../../support/cleanup.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

describe('The key of the first start', () => {
  const ends = cleanup()

  function newFolder(): { path: string; file: string; open: () => ReturnType<typeof firstKey> } {
    const folder = temporaryFolder()
    ends(() => folder.remove())
    const open = () => firstKey({ folder: folder.path, clock: () => 1_000, newId: newUuid })
    return { path: folder.path, file: join(folder.path, 'api-key.json'), open }
  }

  it('has its secret told once and kept nowhere', () => {
    const { file, path, open } = newFolder()
    const first = open()
    assert.ok(first.secret && isGeneratedSecret(first.secret))
    assert.equal(first.key.sha256, hashSecret(first.secret))
    assert.deepEqual(open(), { key: first.key })
    const { id, name, sha256 } = first.key
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { id, name, sha256, createdAt: 1_000 })
    assert.deepEqual(readdirSync(path), ['api-key.json'])
  })

  it('can be read by its owner only', () => {
    const { file, open } = newFolder()
    open()
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })

  it('is made anew when a crash left a half-written file beside it', () => {
    const { file, open } = newFolder()
    writeFileSync(`${file}.new`, '{"id":')
    assert.ok(open().secret)
    assert.equal(open().secret, undefined)
  })

  it('a damaged file is reported, not replaced', () => {
    const { file, open } = newFolder()
    for (const text of ['', '{', '{}', 'null', '{"id":"x","name":"first","sha256":"y","createdAt":1}']) {
      writeFileSync(file, text)
      assert.throws(open, /is damaged/)
      assert.equal(readFileSync(file, 'utf8'), text)
    }
  })
})
