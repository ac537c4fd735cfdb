import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFile } from '../../../cli/output/new-file.ts'
import { newFolder } from '../../support/temporary-folder.ts'

describe('A new file', () => {
  it('has everything that was appended, is private to its user, and leaves no other file behind', async () => {
    const folder = newFolder()
    const file = join(folder, 'made')
    const result = await makeFile(file, async (append) => {
      await append('one\n')
      await append('two\n')
      return 2
    })
    assert.deepEqual([result, readFileSync(file, 'utf8'), readdirSync(folder)], [2, 'one\ntwo\n', ['made']])
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })

  it('leaves nothing behind if writing it fails', async () => {
    const folder = newFolder()
    const failing = makeFile(join(folder, 'made'), () => Promise.reject(new Error('away')))
    await assert.rejects(failing, { message: 'away' })
    assert.deepEqual(readdirSync(folder), [])
  })

  for (const [what, put] of [
    ['file', (path: string) => writeFileSync(path, 'mine')],
    ['folder', (path: string) => mkdirSync(path)],
    ['dangling link', (path: string) => symlinkSync('nowhere', path)],
  ] as const) {
    it(`is never written over or through a ${what}`, async () => {
      const folder = newFolder()
      put(join(folder, 'made'))
      const message = /made already exists: name another file, or remove it\.$/
      await assert.rejects(makeFile(join(folder, 'made'), never), { name: 'CommandFailure', message })
      assert.deepEqual(readdirSync(folder), ['made'])
      if (what === 'file') assert.equal(readFileSync(join(folder, 'made'), 'utf8'), 'mine')
    })
  }

  it('needs an existing folder', async () => {
    const folder = join(newFolder(), 'missing')
    const message = `${folder}/made can't be created: there is no folder ${folder}.`
    await assert.rejects(makeFile(join(folder, 'made'), never), { name: 'CommandFailure', message })
  })
})

const never = (): Promise<never> => assert.fail('nothing is to be written')
