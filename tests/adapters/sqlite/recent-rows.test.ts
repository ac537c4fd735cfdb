import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.main.ts'
import { createRecentRows } from '../../../shared/adapters/sqlite/views/recent-rows.main.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { atEnd } from '../../support/cleanup.ts'
import { append, created, edited, type Job, jobs, query } from '../../support/jobs.ts'
import { newFolder } from '../../support/temporary-folder.ts'

describe('Recently read SQLite rows', () => {
  let file: string
  let database: Database
  beforeEach(async () => {
    file = join(newFolder(), 'test.db')
    database = await openSqliteDatabase({ file, views: [jobs] })
    atEnd(() => database.close())
  })

  it('are as new as the log and the lists, even before the writer reports the commit', async () => {
    const view = database.view(jobs)
    const before = await append(database, created('1'))
    assert.deepEqual(await view.get('1'), before)
    assert.deepEqual((await view.list(query())).rows, [before])
    const edit = edited(before, { title: 'Edited' })
    const appended = database.events.append(edit)
    await Promise.all([view.get('1'), view.list(query())])
    await nextTurn()
    // Without another turn of the event loop, the writer's report can't arrive meanwhile.
    while ((await database.events.head()) === 1) await Promise.all([view.get('1'), view.list(query())])
    assert.deepEqual(await view.get('1'), edit.rows[0])
    assert.deepEqual((await view.list(query())).rows, [edit.rows[0]])
    assert.equal((await appended).type, 'appended')
    assert.deepEqual(await view.get('1'), edit.rows[0])
  })

  it('are never older than an acknowledged append, even with others in flight', async () => {
    const rows = [await append(database, created('1'))]
    const appends: Promise<unknown>[] = []
    for (let n = 1; n <= 20; n++) {
      const edit = edited(rows.at(-1) as ViewRow<Job>, { title: `Edited ${n}` })
      rows.push(edit.rows[0] as ViewRow<Job>)
      appends.push(database.events.append(edit))
      await database.view(jobs).get('1')
      if (n % 3 === 0) await nextTurn()
    }
    for (const [n, appended] of appends.entries()) {
      await appended
      assert.ok(((await database.view(jobs).get('1'))?.version ?? 0) >= n + 2)
      assert.ok(((await database.view(jobs).list(query())).rows[0]?.version ?? 0) >= n + 2)
    }
    assert.deepEqual(await database.view(jobs).get('1'), rows.at(-1))
  })

  it('are the same objects in every list until they change', async () => {
    const view = database.view(jobs)
    const [first, second] = [await append(database, created('1')), await append(database, created('2'))]
    const listed = async (search = '') => (await view.list(query({ search }))).rows
    const before = await listed()
    assert.equal(await listed(), before)
    assert.deepEqual(before, [second, first])
    await append(database, edited(first, { title: 'Edited' }))
    const after = await listed()
    assert.deepEqual([after[0] === before[0], after[1] === before[1]], [true, false])
    assert.equal((await listed(second.state.title.slice(0, 3)))[0], after[0])
    assert.equal(await view.get('1'), after[1])
  })

  it('are all listed once their append is acknowledged, even after a list was requested during it', async () => {
    const view = database.view(jobs)
    const ids = async () => (await view.list(query())).rows.map(({ id }) => id)
    await append(database, created('1'))
    await ids()
    const appended = append(database, created('2'))
    assert.deepEqual(await ids(), ['1'])
    await appended
    assert.deepEqual(await ids(), ['2', '1'])
  })

  it('never come from a search that began before their latest write', async () => {
    const view = database.view(jobs)
    let row = await append(database, created('1', { title: 'Audit' }))
    for (let n = 0; n < 30; n++) {
      const searching = view.list(query({ search: 'audit' }))
      row = await append(database, edited(row, { title: `Audit ${n}` }))
      await searching
      assert.deepEqual(await view.get('1'), row)
    }
  })

  it('come from the new tables once the view is rebuilt', async () => {
    const row = await append(database, created('1'))
    const other = new DatabaseSync(file)
    other.exec(`UPDATE view_jobs_1 SET state = json_set(state, '$[2]', 'damaged')`)
    other.close()
    const view = database.view(jobs)
    assert.equal((await view.get('1'))?.state.title, 'damaged')
    await view.rebuild()
    assert.deepEqual(await view.get('1'), row)
  })

  it('take no more than a few megabytes', () => {
    const recent = createRecentRows()
    const [row] = created('1').rows
    const ids = Array.from({ length: 100 }, (_, n) => String(n))
    for (const id of ids) recent.store({ ...(row as ViewRow), id }, 50_000)
    assert.deepEqual(ids.filter((id) => recent.find(id)).length, 20)
  })
})
