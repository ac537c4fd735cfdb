import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { markAsIncomplete } from '../../../cli/start/usable-folder.ts'
import { lockFolder } from '../../../shared/adapters/sqlite/file/folder-lock.main.ts'
import { assertNone } from '../../support/assert-none.ts'
import { atEnd } from '../../support/cleanup.ts'
import { mint } from '../../support/command-line.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { runMint } from '../../support/mint-process.ts'
import { newFolder, temporaryFolder } from '../../support/temporary-folder.ts'

const COMMANDS = [
  'start',
  'demo',
  'status',
  'doctor',
  'keys create',
  'keys list',
  'keys rotate',
  'keys revoke',
  'history',
  'firm show',
  'firm set',
  'firm history',
  'views rebuild',
  'verify',
  'relay replay',
  'dead-letters discard',
  'dead-letters list',
  'dead-letters replay',
  'backup',
  'fork',
  'export',
  'import',
  'import-csv',
]

const FULL =
  /^Standard output can't be written \(ENOSPC: no space left on device, write\): redirect it to where there is room\.\n$/

describe('The mint command', () => {
  const filled = temporaryFolder()

  before(async () => {
    await fillFolder(filled.path, { contracts: 1, businesses: 1 })
    await mint(['keys', 'create', 'A', '--scopes', 'all'], { DATA_DIR: filled.path })
  })
  after(() => filled.remove())

  it('lists all its commands within 28 lines of 80 columns', async () => {
    const { exitCode, output } = await mint(['--help'], {})
    const lines = output.trimEnd().split('\n')
    assert.ok(lines.length <= 28, `${lines.length} lines`)
    assertNone(lines.filter((line) => line.length > 80))
    for (const command of COMMANDS) assert.match(output, new RegExp(`^  ${command.split(' ')[0]} `, 'm'))
    assert.equal(exitCode, 0)
  })

  for (const command of COMMANDS) {
    it(`explains \`${command}\` with an example, within 80 columns`, async () => {
      const { exitCode, output } = await mint([...command.split(' '), '--help'], {})
      assert.equal(exitCode, 0)
      assert.match(output, new RegExp(`Example:\n  .*cli/mint ${command}`))
      const [description = ''] = output.split('Example:')
      assertNone(description.split('\n').filter((line) => line.length > 80))
      assert.deepEqual(await mint(['help', ...command.split(' ')], {}), { exitCode, output, errors: '' })
    })
  }

  it('shows no default value that only a program understands', async () => {
    const { output } = await mint(['import-csv', '--help'], {})
    assert.doesNotMatch(output, /default: [{[]/)
  })

  it('counts one of a thing in the singular', async () => {
    const environment = { DATA_DIR: filled.path }
    const rebuilt = await mint(['views', 'rebuild', 'contracts'], environment)
    assert.equal(rebuilt.output, 'Rebuilt contracts: 1 row.\n')
    const replayed = await mint(['relay', 'replay', '--part', 'businesses'], environment)
    assert.match(replayed.output, /^1 event of businesses will be published again/)
  })

  it('prints its help for `help`, and its version for `--version`', async () => {
    assert.deepEqual(await mint(['help'], {}), await mint(['--help'], {}))
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    assert.deepEqual(await mint(['--version'], {}), { exitCode: 0, output: `${version}\n`, errors: '' })
  })

  it('is `cli/mint` in the project’s folder, and runs from any working directory', async () => {
    const { stdout } = await promisify(execFile)(resolve('cli/mint'), ['help'], { cwd: newFolder() })
    assert.equal(stdout, (await mint(['help'], {})).output)
  })

  it('is never called in a way that makes npm offer to install another program', () => {
    const texts = globSync(
      ['*.md', 'docs/**/*.md', '{cli,gateway,services,shared,docs,bench}/**/*.{ts,js}', 'cli/mint'],
      { exclude: (name) => name === 'node_modules' || name.includes('/node_modules') },
    )
    assert.ok(texts.length > 300 && texts.includes('README.md'))
    assertNone(texts.filter((file) => /npx (-\S+ )*mint\b|npm exec/.test(readFileSync(file, 'utf8'))))
  })

  for (const words of [
    [],
    ['help', 'no-such'],
    ['help', 'keys', 'no-such'],
    ['no-such'],
    ['keys'],
    ['keys', 'no-such'],
    ['history', 'contract'],
    ['verify', '--no-such'],
    ['keys', 'rotate', '01985b7e-3c5e-7a52-b1cf-6d1c3a1f0c55', '--grace', '1h'],
  ]) {
    it(`exits with 2 for \`cli/mint ${words.join(' ')}\`, and points to --help`, async () => {
      const { exitCode, output, errors } = await mint(words, {})
      assert.equal(exitCode, 2)
      assert.equal(output, '')
      assert.match(errors, /--help/)
    })
  }

  it('exits with 2 and one line for each value that is not allowed', async () => {
    const { exitCode, errors } = await mint(['keys', 'create', 'A', '--scopes', 'contracts:read,no-such'], {})
    assert.equal(exitCode, 2)
    assert.match(errors, /^--scopes no-such: .*contracts:write.* Or give `all`\.\n$/)
    const expiring = await mint(['keys', 'create', 'A', '--scopes', 'all', '--expires', '90'], {})
    assert.equal(expiring.exitCode, 2)
    assert.match(expiring.errors, /^--expires: Not a timestamp\. .* Or give how long from now: 90d \(also h, w\)\.\n$/)
  })

  for (const [words, exitCode, message, more] of [
    ['views rebuild no-such', 2, /^There is no view no-such\. The views are: .*\bcontracts\b.*\.\n$/],
    ['relay replay --part contracts', 1, /^Contracts are not published here: that takes Kafka\.\n$/],
    ['firm set currency', 2, /^currency: Give a field and its value, as in currency=CAD\.\n$/],
    [
      'backup copy',
      1,
      /^cli\/mint backup copies a DATA_DIR, but MONGO_URL is set: /,
      { MONGO_URL: 'mongodb://localhost' },
    ],
  ] as const) {
    it(`exits with ${exitCode} for \`cli/mint ${words}\` where that makes no sense, and says why`, async () => {
      const { errors, ...end } = await mint(words.split(' '), { DATA_DIR: filled.path, ...more })
      assert.deepEqual(end, { exitCode, output: '' })
      assert.match(errors, message)
    })
  }

  it('exports to no terminal, and says what to do', async () => {
    for (const words of [['export'], ['export', '-']]) {
      assert.deepEqual(await mint(words, { DATA_DIR: filled.path }, { isTTY: true }), {
        exitCode: 2,
        output: '',
        errors: 'Name a file, or redirect standard output: an export is not written to a terminal.\n',
      })
    }
  })

  it('waits until another command has released the folder, and gives up after five seconds', async () => {
    const lock = lockFolder(filled.path)
    atEnd(() => lock.release())
    const { exitCode, errors } = await mint(['keys', 'list'], { DATA_DIR: filled.path })
    assert.equal(exitCode, 1)
    assert.match(
      errors,
      /^Another process is using the folder \S+ and can't be reached: .* wait until it has ended; .*\n$/,
    )
    const listing = mint(['keys', 'list'], { DATA_DIR: filled.path })
    const waiting = pause(500, 'still waiting')
    assert.equal(await Promise.race([listing, waiting]), 'still waiting')
    lock.release()
    assert.equal((await listing).exitCode, 0)
  })

  it('exits with 1 and one line if DATA_DIR has no Mint data, and creates nothing there', async () => {
    const folder = newFolder()
    for (const path of [folder, join(folder, 'missing')]) {
      const { exitCode, output, errors } = await mint(['verify'], { DATA_DIR: path })
      assert.deepEqual([exitCode, output], [1, ''])
      assert.match(errors, /^DATA_DIR=\S+ contains no Mint data.*: set DATA_DIR to the folder .*\.\n$/)
    }
    assert.deepEqual(readdirSync(folder), [])
  })

  it('says that another user may have to run the command if DATA_DIR can’t be examined', async () => {
    const folder = newFolder()
    // Also for root, who may examine every other file.
    symlinkSync('contracts.db', join(folder, 'contracts.db'))
    const { exitCode, errors } = await mint(['verify'], { DATA_DIR: folder })
    assert.equal(exitCode, 1)
    assert.match(errors, /may read \(ELOOP.*\): set DATA_DIR .*, or run this command as the user that runs Mint\.\n$/)
  })

  it('fails if nothing reads an export any more, which is then incomplete', async () => {
    const script = '{ cli/mint export; echo $? >&2; } | true'
    const run = atEnd.kill(runMint({ dataFolder: filled.path, command: ['sh', '-c', script] }))
    const { errors } = await run.ended
    assert.equal(errors, 'Nothing reads standard output any more: this export is incomplete. Run it again.\n1\n')
  })

  it('exits with 1 and one line if a file can’t be read, and creates nothing', async () => {
    const folder = newFolder()
    for (const file of [join(folder, 'missing'), folder]) {
      const { exitCode, errors } = await mint(['import', file], { DATA_DIR: join(folder, 'data') })
      assert.equal(exitCode, 1)
      assert.match(errors, /^\S+ can’t be read \(.*\): name the file that `cli\/mint export` wrote\.\n$/)
    }
    assert.deepEqual(readdirSync(folder), [])
  })

  for (const [words, message] of [
    ['export /proc/missing/file', /^\S+ can't be created: there is no folder \/proc\/missing\.\n$/],
    // Where Node's own recursive mkdir never returns.
    ['backup /proc/missing', /^\/proc\/missing can't be created \(.*\): name a folder somewhere else\n$/],
    ...['export', 'keys list', 'status --json', '--help'].map((command) => [`${command} > /dev/full`, FULL] as const),
  ] as const) {
    it(`exits with 1 and one line for \`cli/mint ${words}\``, async () => {
      const run = atEnd.kill(runMint({ dataFolder: filled.path, command: ['sh', '-c', `exec cli/mint ${words}`] }))
      const { exitCode, output, errors } = await run.ended
      assert.match(errors, message)
      assert.deepEqual([exitCode, output], [1, ''])
    })
  }

  it('exits with 1 and one line if a setting can’t be used', async () => {
    for (const command of ['verify', 'status']) {
      const unreachable = await mint([command], { MONGO_URL: 'mongodb://127.0.0.1:1' })
      const errors = 'MongoDB is unavailable: start it, or correct the hosts in MONGO_URL.\n'
      assert.deepEqual(unreachable, { exitCode: 1, output: '', errors })
    }
    const { exitCode, errors } = await mint(['verify'], { MONGO_URL: 'http://secret@nowhere' })
    assert.equal(exitCode, 1)
    assert.equal(
      errors,
      "MONGO_URL=(not shown) can't be used; allowed: the connection string of a MongoDB replica set: mongodb://…; percent-encode @ and / in the password\n",
    )
  })

  it('refuses data of a newer Mint in one line, and leaves it unchanged', async () => {
    const folder = newFolder()
    await fillFolder(folder, { contracts: 1, businesses: 1 })
    const database = new DatabaseSync(join(folder, 'contracts.db'))
    database.exec('PRAGMA user_version = 1000')
    database.close()
    const { exitCode, errors } = await mint(['verify'], { DATA_DIR: folder })
    assert.equal(exitCode, 1)
    assert.match(errors, /^\S+contracts\.db has format 1000, .*: start the newer version\n$/)
  })

  it('refuses a folder with an interrupted demo', async () => {
    const folder = newFolder()
    await fillFolder(folder, { contracts: 1, businesses: 1 })
    markAsIncomplete(folder, 'demo')
    const { exitCode, errors } = await mint(['verify'], { DATA_DIR: folder })
    assert.equal(exitCode, 1)
    assert.match(errors, /is a demo that was interrupted/)
  })
})
