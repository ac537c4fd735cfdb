import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openForReading } from '../../../shared/adapters/sqlite/connection.ts'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.ts'
import { createListMemory, slicedList } from '../../../shared/adapters/sqlite/lists/sliced-list.ts'
import { prepareStatements } from '../../../shared/adapters/sqlite/statements.ts'
import { shapeOf } from '../../../shared/adapters/sqlite/views/view-shape.ts'
import { viewTables } from '../../../shared/adapters/sqlite/views/view-tables.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { cleanup } from '../../support/cleanup.ts'
import { append, appendAll, created, edited, type Job, jobs, query } from '../../support/jobs.ts'
import { fillWithJobs } from '../../support/many-jobs.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const ROWS = 60_000
/** After every job of `fillWithJobs`. */
const LATER = Date.UTC(2030, 0, 1)

describe('Slices of SQLite lists that were counted before', () => {
  const atEnd = cleanup()
  async function filled(): Promise<{ file: string; database: Database }> {
    const folder = temporaryFolder()
    atEnd(() => folder.remove())
    const file = join(folder.path, 'test.db')
    await fillWithJobs(file, ROWS)
    const database = await openSqliteDatabase({ file, views: [jobs] })
    atEnd(() => database.close())
    return { file, database }
  }

  it('are counted again where something was written since, and total and page are always right', async () => {
    const { database } = await filled()
    let expected = Math.floor((ROWS - 2) / 7) + 1
    const assertTotal = async () => {
      // Through the index, and through packed texts.
      const lists = ['payroll', 'yr'].map((search) =>
        database.view(jobs).list(query({ search, offset: 100, limit: 3 })),
      )
      const [found, alsoFound] = await Promise.all(lists)
      assert.deepEqual(found, alsoFound)
      assert.deepEqual([found?.total, found?.rows.length], [expected, 3])
      return found?.rows[0] as ViewRow<Job>
    }
    await assertTotal()
    for (let round = 0; round < 3; round++) {
      const row = await assertTotal()
      await append(database, edited(row, { title: 'Audit', kind: 'Audit' }))
      expected -= 1
      await assertTotal()
      const first = 1_000_000 + round * 3000
      const more = Array.from({ length: 3000 }, (_, index) =>
        created(String(first + index), { at: LATER + first + index, title: index % 3 === 0 ? 'Payroll' : 'Audit' }),
      )
      await appendAll(database, more)
      expected += 1000
      await assertTotal()
    }
    await database.view(jobs).rebuild()
    await assertTotal()
  }).timeout(60_000)

  it('take no time where nothing was written since, and little where it was among the newest', async () => {
    const { file, database } = await filled()
    const memory = createListMemory()
    const connection = openForReading(file, 4000)
    atEnd(() => connection.close())
    const statements = prepareStatements(connection)
    /** How many slices were counted: the list yields after each. */
    const countedSlices = (): number => {
      const asked = { conditions: [], term: 'payroll', limit: 3, offset: 0, after: undefined, withTotal: true }
      const list = slicedList(statements, viewTables(shapeOf(jobs), 1), asked, memory)
      let yields = 0
      while (!list.next().done) yields++
      return yields
    }
    assert.ok(countedSlices() > 1)
    assert.equal(countedSlices(), 0)
    for (let id = 100_000; id < 100_005; id++) {
      await append(database, created(String(id), { at: LATER + id }))
      assert.equal(countedSlices(), 1)
    }
    const more = Array.from({ length: 5000 }, (_, index) =>
      created(String(200_000 + index), { at: LATER + 200_000 + index }),
    )
    await appendAll(database, more)
    assert.ok(countedSlices() <= 2)
    assert.equal(countedSlices(), 0)
  }).timeout(60_000)

  it('are known of views from before they were remembered', async () => {
    const { file, database } = await filled()
    await database.close()
    const connection = new DatabaseSync(file)
    connection.exec('ALTER TABLE view_jobs_1_counts DROP COLUMN changes; PRAGMA user_version = 2')
    connection.close()
    const again = await openSqliteDatabase({ file, views: [jobs] })
    atEnd(() => again.close())
    const total = async () => (await again.view(jobs).list(query({ search: 'payroll' }))).total
    const before = await total()
    await append(again, created('100000', { at: LATER, title: 'Payroll' }))
    assert.equal(await total(), before + 1)
  }).timeout(60_000)
})
