import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { openForReading } from '../../shared/adapters/sqlite/file/connection.ts'
import { prepareStatements } from '../../shared/adapters/sqlite/file/statements.ts'
import type { TableQuery } from '../../shared/adapters/sqlite/lists/list-query.ts'
import { createListCache, slicedList } from '../../shared/adapters/sqlite/lists/sliced-list.reader.ts'
import { shapeOf } from '../../shared/adapters/sqlite/views/view-shape.ts'
import { viewTables } from '../../shared/adapters/sqlite/views/view-tables.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { ViewRow } from '../../shared/event-sourcing/ports/view.ts'
import { atEnd } from '../support/cleanup.ts'
import { append, appendAll, created, edited, type Job, jobs, query } from '../support/jobs.ts'
import { fillWithJobs } from '../support/many-jobs.ts'
import { newFolder } from '../support/temporary-folder.ts'

const ROWS = 21_000
/** After every job of `fillWithJobs`. */
const LATER = Date.UTC(2030, 0, 1)

describe('Repeated SQLite lists', () => {
  let file: string
  let database: Database
  beforeEach(async () => {
    file = join(newFolder(), 'test.db')
    await fillWithJobs(file, ROWS)
    database = await openSqliteDatabase({ file, views: [jobs] })
    atEnd(() => database.close())
  })

  it('return the current total and page, whatever has been written since', async () => {
    let expected = ROWS / 7
    const assertTotal = async () => {
      // Through the index and by a scan.
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
  })

  it('are correct even if the index finds so many rows that all texts are scanned', async () => {
    const found = async (offset: number) => {
      const { rows, total } = await database.view(jobs).list(query({ search: 'done', offset, limit: 2 }))
      return [total, ...rows.map(({ id }) => Number(id))]
    }
    assert.deepEqual(await found(0), [ROWS / 2, ROWS, ROWS - 2])
    assert.deepEqual(await found(300), [ROWS / 2, ROWS - 600, ROWS - 602])
    assert.deepEqual(await found(ROWS / 2 - 1), [ROWS / 2, 2])
    const row = (await database.view(jobs).get('2')) as ViewRow<Job>
    await append(database, edited(row, { title: 'Audit' }))
    assert.deepEqual(await found(ROWS / 2 - 2), [ROWS / 2 - 1, 4])
  })

  describe('on the reader thread', () => {
    function open() {
      const connection = atEnd.close(openForReading(file, 4000))
      const statements = prepareStatements(connection)
      const cache = createListCache()
      /** Answers a list, and returns how often it yields: after each count, and after each slice. */
      const counts = (asked: Partial<TableQuery> = {}): number => {
        const query = { conditions: [], words: ['done'], limit: 3, offset: 0, after: undefined, withTotal: true }
        const list = slicedList(statements, viewTables(shapeOf(jobs), 1), { ...query, ...asked }, cache)
        let yields = 0
        while (!list.next().done) yields++
        return yields
      }
      return { counts }
    }

    it('don’t recount rows if nothing was written since', async () => {
      const { counts } = open()
      const [first, again] = [counts(), counts()]
      assert.ok(again < first)
      await append(database, created('100000', { at: LATER }))
      assert.deepEqual([counts(), counts()], [first, again])
    })
  })
})
