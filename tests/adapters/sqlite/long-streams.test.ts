import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.main.ts'
import type { ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { atEnd } from '../../support/cleanup.ts'
import { append, created, edited, type Job, jobs } from '../../support/jobs.ts'
import { appendEdits, hasSnapshots } from '../../support/long-streams.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { writeAheadLog } from '../../support/write-ahead-log.ts'

describe('Long streams on SQLite', () => {
  it('of 10,000 edits are edited without reading earlier events, and write about as many pages as short ones', async () => {
    const file = join(newFolder(), 'test.db')
    const database = atEnd.close(await openSqliteDatabase({ file, views: [jobs] }))
    const row = await append(database, created('1'))
    await append(database, created('2'))
    const many = edited(row, { title: 'Edited' })
    const events = Array.from({ length: 10_000 }, () => many.events).flat()
    const after: ViewRow<Job> = { ...(many.rows[0] as ViewRow<Job>), version: 10_001 }
    await append(database, { ...many, events, rows: [after] })
    const raw = new DatabaseSync(file, { timeout: 5_000 })
    const { changes } = raw.prepare("DELETE FROM events WHERE stream_id = '1' AND version <= 10_000").run()
    assert.equal(changes, 10_000)
    raw.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    raw.close()

    const pagesToEdit = async (id: string) => {
      const pagesBefore = writeAheadLog(file).pages
      for (let edit = 0; edit < 5; edit++) {
        const before = await database.view(jobs).get(id)
        assert.ok(before)
        await append(database, edited(before, { title: `Edited again ${edit}` }))
      }
      return writeAheadLog(file).pages - pagesBefore
    }
    await append(database, created('3'))
    const [short, long] = [await pagesToEdit('2'), await pagesToEdit('1')]
    assert.equal((await database.view(jobs).get('1'))?.version, 10_006)
    assert.ok(short > 0 && long < 2 * short, `${long} pages of the long one, ${short} of the short one`)
  })

  it('leave no old snapshots behind when the view is rebuilt', async () => {
    const { file, versions } = await fileWithLongStream()
    const database = atEnd.close(await openSqliteDatabase({ file, views: [jobs] }))
    await database.view(jobs).rebuild()
    await hasSnapshots(database, versions)
    const raw = atEnd.close(new DatabaseSync(file, { readOnly: true }))
    const tables = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%snapshots'").all()
    assert.deepEqual(
      tables.map(({ name }) => name),
      ['view_jobs_2_snapshots'],
    )
  })

  /** A closed file with job 1 in 200 versions. */
  async function fileWithLongStream() {
    const file = join(newFolder(), 'test.db')
    const database = await openSqliteDatabase({ file, views: [jobs] })
    const versions = [await append(database, created('1'))]
    await appendEdits(database, versions, 199)
    await append(database, created('2'))
    await database.close()
    return { file, versions }
  }
})
