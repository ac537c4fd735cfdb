import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDataFolder } from '../../../cli/start/data-folder.ts'
import { whyUnsafe, whyUnusable } from '../../../cli/start/usable-folder.ts'
import { atEnd } from '../../support/cleanup.ts'
import { succeeds } from '../../support/command-line.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { linesWith } from '../../support/lines-with.ts'
import { runMint, startedMint } from '../../support/mint-process.ts'
import { describeWithSmallDisks, smallDisk } from '../../support/small-disk.ts'
import { newFolder } from '../../support/temporary-folder.ts'

const assertRefused = async (dataFolder: string, why: string): Promise<void> =>
  assert.deepEqual(await runMint({ dataFolder }).ended, {
    exitCode: 1,
    output: '',
    errors: `Mint can't start: DATA_DIR=${dataFolder} can't be used, ${why}.\n`,
  })

describe('A DATA_DIR that can’t be used', () => {
  it('is refused in one line', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    await assertRefused(file, 'it is a file: set DATA_DIR to a folder')
  })

  it('is refused in one line if it starts with an unexpanded ~', async () => {
    const mint = atEnd.kill(runMint({ dataFolder: '~/mint' }))
    const why = 'starts with a ~ that no shell has expanded: use $HOME instead.'
    assert.deepEqual(await mint.ended, {
      exitCode: 1,
      output: '',
      errors: `Mint can't start: DATA_DIR=~/mint ${why}\n`,
    })
  })

  it('is refused with the name of a file that this user may not write', () => {
    const folder = newFolder()
    chmodSync(folder, 0o777)
    writeFileSync(join(folder, 'lock'), '', { mode: 0o444 })
    // Root may write every file.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const env = { ...process.env, DATA_DIR: folder }
    const { status, stderr } = spawnSync('sh', ['cli/mint', 'start'], {
      env,
      encoding: 'utf8',
      timeout: 60_000,
      ...nobody,
    })
    const why = 'this user may not write its file lock: grant it the permission, or set DATA_DIR to another folder.'
    assert.deepEqual([status, stderr], [1, `Mint can't start: DATA_DIR=${folder} can't be used, ${why}\n`])
  })

  it('is refused with the reason and what to do', () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'file'), '')
    assert.equal(
      whyUnusable(join(folder, 'file/data')),
      'part of this path is not a folder: set DATA_DIR to another path',
    )
    assert.equal(whyUnusable('/proc/mint'), "a folder can't be created there: set DATA_DIR to another one")
    for (const name of ['lock', 'contracts.db']) {
      const other = newFolder()
      mkdirSync(join(other, name))
      const remedy = 'move it away, or set DATA_DIR to another folder'
      assert.equal(whyUnusable(other), `it has a folder ${name} where Mint stores a file: ${remedy}`)
    }
  })

  for (const lost of ['contracts.db', 'businesses.db', 'gateway.db']) {
    for (const [how, lose, isLost] of [
      ['missing beside events of others', (file: string) => rmSync(file), (file: string) => !existsSync(file)],
      [
        'an empty file, of which SQLite would make an empty database',
        truncateSync,
        (file: string) => statSync(file).size === 0,
      ],
    ] as const) {
      it(`is refused while ${lost} is ${how}, and nothing is created`, async () => {
        const folder = newFolder()
        await fillFolder(folder, { contracts: 1, businesses: lost === 'contracts.db' ? 1 : 0 })
        const file = join(folder, lost)
        lose(file)
        const message = `DATA_DIR=${folder} contains data of Mint, but not ${lost}: restore a whole backup there, or set DATA_DIR to another folder.`
        await assert.rejects(openDataFolder(folder), { message })
        assert.ok(isLost(file))
      })
    }
  }

  for (const name of ['lock', 'contracts.db', 'gateway.db-wal']) {
    it(`is refused if the file ${name} is a link, and nothing is written to its target`, async () => {
      const [folder, elsewhere] = [newFolder(), join(newFolder(), 'elsewhere')]
      symlinkSync(elsewhere, join(folder, name))
      const remedy = 'put the file itself in its place, or remove the link.'
      await assert.rejects(openDataFolder(folder), {
        message: `${join(folder, name)} is a symbolic link, which Mint doesn't write through: ${remedy}`,
      })
      assert.equal(existsSync(elsewhere), false)
    })
  }
})

describeWithSmallDisks('A DATA_DIR on a disk', () => {
  it('that is full, or read-only, is refused in one line', async () => {
    const disk = atEnd.remove(smallDisk(4))
    disk.fill()
    const other = 'or set DATA_DIR to another folder'
    await assertRefused(disk.path, `its disk is full: make room, ${other}`)
    disk.makeRoom()
    disk.failToReadOnly()
    await assertRefused(disk.path, `its file system is read-only: make it writable, ${other}`)
  })

  it('that has too little space to build views is refused in one line, even if it has room again afterwards', async () => {
    const disk = atEnd.remove(smallDisk(24))
    const notes = Array.from({ length: 300 }, () => 'x'.repeat(10_000))
    await fillFolder(disk.path, { contracts: notes.length, businesses: 0, notes })
    {
      using database = new DatabaseSync(join(disk.path, 'contracts.db'))
      database.exec('DELETE FROM views')
    }
    const { bavail, bsize } = statfsSync(disk.path)
    writeFileSync(join(disk.path, 'ballast'), Buffer.alloc(bavail * bsize - 1_000_000))
    await assertRefused(disk.path, 'its disk is full: make room, or set DATA_DIR to another folder')
    assert.equal(whyUnusable(disk.path), undefined)
  })

  it('that is read-only is named by commands, with what to do', async () => {
    const disk = atEnd.remove(smallDisk(8))
    const [folder, file] = [join(disk.path, 'data'), join(newFolder(), 'mint.ndjson')]
    await fillFolder(folder, { contracts: 1, businesses: 1 })
    await succeeds(['export', file], { DATA_DIR: folder })
    disk.failToReadOnly()
    for (const [dataFolder, ...words] of [
      [folder, 'keys', 'list'],
      [folder, 'backup', newFolder()],
      [join(disk.path, 'new'), 'import', file],
    ] as const) {
      const why = 'its file system is read-only: make it writable, or set DATA_DIR to another folder'
      const errors = `DATA_DIR=${dataFolder} can't be used, ${why}.\n`
      const run = runMint({ dataFolder, command: ['cli/mint', ...words] })
      assert.deepEqual(await run.ended, { exitCode: 1, output: '', errors })
    }
  })
})

describe('A DATA_DIR that every user of the machine may write to', () => {
  it('is used with a warning that says what to do, and without one if only its user and group may write to it', async () => {
    const folder = newFolder()
    chmodSync(folder, 0o770)
    assert.equal(whyUnsafe(folder), undefined)
    chmodSync(folder, 0o777)
    const mint = await startedMint({ dataFolder: folder })
    assert.deepEqual(
      linesWith(mint.errors(), 'chmod').map((line) => JSON.parse(line).msg),
      [`every user of this machine may replace the databases in DATA_DIR=${folder}: chmod 700 ${folder}`],
    )
  })
})
