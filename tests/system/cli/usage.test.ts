import assert from 'node:assert/strict'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { cleanup } from '../../support/cleanup.ts'
import { mint } from '../../support/command-line.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { temporaryFolders } from '../../support/temporary-folder.ts'

const COMMANDS = [
  'start',
  'demo',
  'keys create',
  'keys list',
  'keys rotate',
  'keys revoke',
  'history',
  'views rebuild',
  'verify',
  'relay replay',
  'dead-letters list',
  'dead-letters replay',
  'backup',
  'export',
  'import',
]

describe('The mint command', () => {
  const atEnd = cleanup()
  const newFolder = temporaryFolders(atEnd)

  it('says all that there is on one screen of 24 lines by 80 columns', async () => {
    const { exitCode, output } = await mint(['--help'], {})
    const lines = output.trimEnd().split('\n')
    assert.ok(lines.length <= 24, `${lines.length} lines`)
    assert.deepEqual(
      lines.filter((line) => line.length > 80),
      [],
    )
    for (const command of COMMANDS) assert.match(output, new RegExp(`^  ${command.split(' ')[0]} `, 'm'))
    assert.equal(exitCode, 0)
  })

  for (const command of COMMANDS) {
    it(`explains \`${command}\` with an example, within 80 columns`, async () => {
      const { exitCode, output } = await mint([...command.split(' '), '--help'], {})
      assert.equal(exitCode, 0)
      assert.match(output, new RegExp(`Example:\n  .*mint ${command}`))
      const [description = ''] = output.split('Example:')
      assert.deepEqual(
        description.split('\n').filter((line) => line.length > 80),
        [],
      )
    })
  }

  for (const words of [
    [],
    ['no-such'],
    ['keys'],
    ['keys', 'no-such'],
    ['history', 'contract'],
    ['verify', '--no-such'],
    ['keys', 'rotate', '01985b7e-3c5e-7a52-b1cf-6d1c3a1f0c55', '--grace', '1h'],
  ]) {
    it(`ends \`mint ${words.join(' ')}\` with 2 and says how to go on`, async () => {
      const { exitCode, output, errors } = await mint(words, {})
      assert.equal(exitCode, 2)
      assert.equal(output, '')
      assert.match(errors, /--help/)
    })
  }

  it('ends with 2 and a line for each value that is not allowed', async () => {
    const { exitCode, errors } = await mint(['keys', 'create', 'A', '--scopes', 'contracts:read,no-such'], {})
    assert.equal(exitCode, 2)
    assert.match(errors, /^--scopes no-such: .*contracts:write.*\n$/)
  })

  it('ends with 1 and one line where DATA_DIR holds no Mint, and makes nothing there', async () => {
    const folder = newFolder()
    for (const path of [folder, join(folder, 'missing')]) {
      const { exitCode, output, errors } = await mint(['verify'], { DATA_DIR: path })
      assert.deepEqual([exitCode, output], [1, ''])
      assert.match(errors, /^DATA_DIR=\S+ holds no data of Mint.*: set DATA_DIR to the folder .*\.\n$/)
    }
    assert.deepEqual(readdirSync(folder), [])
  })

  it('ends with 1 and one line where a file can’t be read, and makes nothing', async () => {
    const folder = newFolder()
    const { exitCode, errors } = await mint(['import', join(folder, 'missing')], { DATA_DIR: join(folder, 'data') })
    assert.equal(exitCode, 1)
    assert.match(errors, /^\S+ can’t be read: give the file that `mint export` wrote\.\n$/)
    assert.deepEqual(readdirSync(folder), [])
  })

  it('ends with 1 and one line where a setting can’t be used', async () => {
    const { exitCode, errors } = await mint(['verify'], { MONGO_URL: 'http://secret@nowhere' })
    assert.equal(exitCode, 1)
    assert.equal(
      errors,
      "MONGO_URL=(not shown) can't be used; allowed: the connection string of a MongoDB replica set: mongodb://…\n",
    )
  })

  it('leaves data of a newer Mint alone, and says so in one line', async () => {
    const folder = newFolder()
    await fillFolder(folder, { contracts: 1, businesses: 1 })
    const database = new DatabaseSync(join(folder, 'contracts.db'))
    database.exec('PRAGMA user_version = 1000')
    database.close()
    const { exitCode, errors } = await mint(['verify'], { DATA_DIR: folder })
    assert.equal(exitCode, 1)
    assert.match(errors, /^\S+contracts\.db has format 1000, .*: start the newer version\n$/)
  })

  it('refuses a folder that holds a demo which was interrupted', async () => {
    const folder = newFolder()
    await fillFolder(folder, { contracts: 1, businesses: 1 })
    mkdirSync(join(folder, 'demo-unfinished'))
    const { exitCode, errors } = await mint(['verify'], { DATA_DIR: folder })
    assert.equal(exitCode, 1)
    assert.match(errors, /holds a demo that was interrupted/)
  })
})
