import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.main.ts'
import type { ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { atEnd } from '../../support/cleanup.ts'
import {
  append,
  assertViewEqualsLog,
  created,
  edited,
  type Job,
  jobs,
  NOON,
  query,
  writeJobs,
} from '../../support/jobs.ts'
import { newFolder } from '../../support/temporary-folder.ts'

// Only views stored with their log: those that follow a log elsewhere are built before they are read.
describe('Rebuilding a view stored with its log', () => {
  it('keeps the view readable and writable throughout', async () => {
    const database = atEnd.close(await openSqliteDatabase({ file: join(newFolder(), 'test.db'), views: [jobs] }))
    const rows = await writeJobs(database, 4000)
    // Starts the reader thread.
    await database.view(jobs).list(query({ search: 'number' }))
    let rebuilding = true
    const rebuild = database
      .view(jobs)
      .rebuild()
      .finally(() => {
        rebuilding = false
      })
    let written = rows.length
    while (rebuilding) {
      written += 1
      const row = await append(database, created(String(written), { at: NOON + written, title: `Number ${written}` }))
      assert.deepEqual(await database.view(jobs).get(row.id), row)
      const target = rows[written % rows.length] as ViewRow<Job>
      rows[written % rows.length] = await append(database, edited(target, { title: `Edited at ${written}` }))
      const { total } = await database.view(jobs).list(query({ limit: 1, search: `number ${written}` }))
      assert.ok(total >= 1)
      assert.equal((await database.view(jobs).list(query())).total, written)
    }
    await rebuild
    assert.ok(written > 4001, `wrote ${written - 4000} while rebuilding`)
    await assertViewEqualsLog(database)
    await append(database, created('100000'))
    await assertViewEqualsLog(database)
  })
})
