import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.main.ts'
import { foldBatch } from '../../../shared/event-sourcing/projector.ts'
import { append, created, jobs, wholeLog } from '../../support/jobs.ts'
import { describeWithSmallDisks, smallDisk } from '../../support/small-disk.ts'
import { newFolder } from '../../support/temporary-folder.ts'

const views = [jobs]

async function openIn(folder: string) {
  const file = join(folder, 'test.db')
  const database = await openSqliteDatabase({ file, views })
  await append(database, created('1'))
  return database
}

const copiesIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.includes('-copy-'))

describe('The file of a copy of views', () => {
  it('is removed with the copy, and at the next start if the process was killed', async () => {
    const folder = newFolder()
    for (const end of ['', '-wal', '-shm']) writeFileSync(join(folder, `test.db-copy-1${end}`), 'left behind')
    const database = await openIn(folder)
    assert.deepEqual(copiesIn(folder), [])
    const copy = () => database.inspection.copyViews(views, foldBatch)
    const [one, other] = [await copy(), await copy()]
    await one.apply(await wholeLog(database))
    assert.equal(copiesIn(folder).length, 6)
    await one[Symbol.asyncDispose]()
    assert.equal(copiesIn(folder).length, 3)
    await other[Symbol.asyncDispose]()
    assert.deepEqual(copiesIn(folder), [])
    await database.close()
  })
})

describeWithSmallDisks('A copy of views on a disk without room for it', () => {
  it('is refused, so that the log can still grow', async () => {
    const disk = smallDisk(8)
    const database = await openIn(disk.path)
    disk.fill()
    const words = /^verify temporarily needs \d+ MB of free space next to \S+test\.db$/
    await assert.rejects(database.inspection.copyViews(views, foldBatch), { message: words })
    assert.deepEqual(copiesIn(disk.path), [])
    disk.makeRoom()
    await database.close()
    disk.remove()
  })
})
