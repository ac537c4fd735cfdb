import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/main-thread/database.ts'
import type { ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { cleanup } from '../../support/cleanup.ts'
import { append, created, edited, type Job, jobs } from '../../support/jobs.ts'
import { appendEdits, hasSnapshots } from '../../support/long-streams.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

describe('Long streams on SQLite', () => {
  const atEnd = cleanup()

  it('of 10,000 edits are edited within 20 ms', async () => {
    const folder = temporaryFolder()
    atEnd(() => folder.remove())
    const database = await openSqliteDatabase({ file: join(folder.path, 'test.db'), views: [jobs] })
    atEnd(() => database.close())
    const first = created('1')
    const row = await append(database, first)
    const many = edited(row, { title: 'Edited' })
    const events = Array.from({ length: 10_000 }, () => many.events).flat()
    const after: ViewRow<Job> = { ...(many.rows[0] as ViewRow<Job>), version: 10_001 }
    await append(database, { ...many, events, rows: [after] })
    const took = []
    for (let edit = 0; edit < 5; edit++) {
      const started = performance.now()
      const before = await database.view(jobs).get(row.id)
      assert.ok(before)
      await append(database, edited(before, { title: `Edited again ${edit}` }))
      took.push(performance.now() - started)
    }
    assert.equal((await database.view(jobs).get(row.id))?.version, 10_006)
    assert.ok(Math.min(...took) < 20, `${took} ms`)
  })

  it('leave none of their snapshots behind when the view is rebuilt', async () => {
    const { file, versions } = await fileWithLongStream()
    const database = await openSqliteDatabase({ file, views: [jobs] })
    atEnd(() => database.close())
    await database.view(jobs).rebuild()
    await hasSnapshots(database, versions)
    const raw = new DatabaseSync(file, { readOnly: true })
    atEnd(() => raw.close())
    const tables = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%snapshots'").all()
    assert.deepEqual(
      tables.map(({ name }) => name),
      ['view_jobs_2_snapshots'],
    )
  })

  /** A closed file with job 1 in 200 versions. */
  async function fileWithLongStream() {
    const folder = temporaryFolder()
    atEnd(() => folder.remove())
    const file = join(folder.path, 'test.db')
    const database = await openSqliteDatabase({ file, views: [jobs] })
    const versions = [await append(database, created('1'))]
    await appendEdits(database, versions, 199)
    await append(database, created('2'))
    await database.close()
    return { file, versions }
  }
})
