import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { whyUnsafe } from '../../../cli/start/usable-folder.ts'
import { atEnd } from '../../support/cleanup.ts'
import { linesWith } from '../../support/lines-with.ts'
import { runMint, startMint } from '../../support/mint-process.ts'
import { describeWithSmallDisks, smallDisk } from '../../support/small-disk.ts'
import { newFolder } from '../../support/temporary-folder.ts'

const assertRefused = async (dataFolder: string, why: string): Promise<void> => {
  const { exitCode, errors, output } = await runMint({ dataFolder }).ended
  assert.deepEqual(
    { exitCode, output, errors },
    { exitCode: 1, output: '', errors: `Mint can't start: DATA_DIR=${dataFolder} ${why}.\n` },
  )
}

describe('A DATA_DIR is refused in one line if it', () => {
  it('is a file', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    await assertRefused(file, "can't be used, it is a file: set DATA_DIR to a folder")
  })

  it('is inside a file', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    await assertRefused(
      join(file, 'data'),
      "can't be used, part of this path is not a folder: set DATA_DIR to another path",
    )
  })

  for (const name of ['lock', 'contracts.db']) {
    it(`has a folder in place of the file ${name}`, async () => {
      const folder = newFolder()
      mkdirSync(join(folder, name))
      const remedy = 'move it away, or set DATA_DIR to another folder'
      await assertRefused(folder, `can't be used, it has a folder ${name} where Mint stores a file: ${remedy}`)
    })
  }

  for (const name of ['lock', 'contracts.db', 'gateway.db-wal']) {
    it(`has a link in place of the file ${name}, and nothing is written where it points`, async () => {
      const [folder, elsewhere] = [newFolder(), join(newFolder(), 'elsewhere')]
      symlinkSync(elsewhere, join(folder, name))
      const { exitCode, errors } = await runMint({ dataFolder: folder }).ended
      const remedy = 'put the file itself in its place, or remove the link.'
      const expected = `Mint can't start: ${join(folder, name)} is a symbolic link, which Mint doesn't write through: ${remedy}\n`
      assert.deepEqual([exitCode, errors], [1, expected])
      assert.equal(existsSync(elsewhere), false)
    })
  }

  it('can’t be created', async () => {
    const why = "can't be used, a folder can't be created there: set DATA_DIR to another one"
    await assertRefused('/proc/mint', why)
  })

  it('starts with a ~ that no shell has expanded', async () => {
    await assertRefused('~/mint', 'starts with a ~ that no shell has expanded: use $HOME instead')
  })
})

describeWithSmallDisks('A DATA_DIR on a disk', () => {
  it('that is full, or read-only, is refused in one line', async () => {
    const disk = atEnd.remove(smallDisk(4))
    disk.fill()
    const other = 'or set DATA_DIR to another folder'
    await assertRefused(disk.path, `can't be used, its disk is full: make room, ${other}`)
    disk.makeRoom()
    disk.failToReadOnly()
    await assertRefused(disk.path, `can't be used, its file system is read-only: make it writable, ${other}`)
  })
})

describe('A DATA_DIR that every user of the machine may write to', () => {
  it('is used with a warning that says what to do, and without one if only its user and group may write to it', async () => {
    const folder = newFolder()
    chmodSync(folder, 0o770)
    assert.equal(whyUnsafe(folder), undefined)
    chmodSync(folder, 0o777)
    const mint = atEnd.kill(await startMint({ dataFolder: folder }))
    assert.deepEqual(
      linesWith(mint.errors(), 'chmod').map((line) => JSON.parse(line).msg),
      [`every user of this machine may replace the databases in DATA_DIR=${folder}: chmod 700 ${folder}`],
    )
  })
})
