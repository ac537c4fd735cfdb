import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.ts'
import type { ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { cleanup } from '../../support/cleanup.ts'
import { append, created, edited, type Job, jobs } from '../../support/jobs.ts'
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
})
