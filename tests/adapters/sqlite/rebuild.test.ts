import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.main.ts'
import type { ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { atEnd } from '../../support/cleanup.ts'
import {
  append,
  appendAll,
  assertViewEqualsLog,
  created,
  edited,
  type Job,
  jobs,
  NOON,
  noted,
  query,
  writeJobs,
} from '../../support/jobs.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { dropViewIndexes, viewIndexes } from '../../support/view-indexes.ts'
import { writeAheadLog } from '../../support/write-ahead-log.ts'

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

describe('A view stored with its log', () => {
  it('gets the indexes that it lacks when it is opened, as after a kill at the end of a build', async () => {
    const file = join(newFolder(), 'test.db')
    const open = async () => atEnd.close(await openSqliteDatabase({ file, views: [jobs] }))
    const before = await open()
    await writeJobs(before, 20)
    await before.close()
    const names = dropViewIndexes(file)
    assert.ok(names.length > 0)
    const after = await open()
    assert.deepEqual(viewIndexes(file), names)
    assert.equal((await after.view(jobs).list(query({ where: { kind: 'payroll' } }))).total, 7)
    await assertViewEqualsLog(after)
  })
})

describe('A view that is built when its file is opened', () => {
  it('reads only events of its own category, however many others the log has', async () => {
    const file = join(newFolder(), 'test.db')
    const before = await openSqliteDatabase({ file, views: [] })
    const others = ['before', 'between'].map((id) => {
      const other = noted(id, 0)
      return { ...other, stream: { ...other.stream, category: 'other' }, rows: [] }
    })
    const [first, second] = ['1', '2'].map((id) => ({ ...created(id), rows: [] }))
    await appendAll(
      before,
      [others[0], first, others[1], second].flatMap((commit) => commit ?? []),
    )
    await before.close()
    const connection = new DatabaseSync(file)
    connection.exec("UPDATE events SET data = 'unreadable' WHERE category = 'other'")
    connection.close()
    const database = atEnd.close(await openSqliteDatabase({ file, views: [jobs] }))
    assert.equal((await database.view(jobs).list(query())).total, 2)
  })
})

describe('A view whose definition has changed', () => {
  /** How many pages are written to build it from this many jobs. */
  async function pagesToBuild(count: number, clientOf: (n: number) => string): Promise<number> {
    const file = join(newFolder(), 'test.db')
    const before = await openSqliteDatabase({ file, views: [] })
    await appendAll(
      before,
      Array.from({ length: count }, (_, n) => ({ ...created(`${n + 1}`, { client: clientOf(n) }), rows: [] })),
    )
    await before.close()
    const database = atEnd.close(await openSqliteDatabase({ file, views: [jobs] }))
    const { pages } = writeAheadLog(file)
    await assertViewEqualsLog(database)
    return pages
  }

  it('is built with about as many writes if its rows come in the order of no index', async () => {
    const COUNT = 6000
    const name = (n: number): string => `Client ${String(n).padStart(6, '0')}`
    const inOrder = await pagesToBuild(COUNT, name)
    // Coprime to COUNT: each client once.
    const spread = await pagesToBuild(COUNT, (n) => name((n * 4801) % COUNT))
    assert.ok(inOrder > 0 && spread < 1.1 * inOrder, `${spread} pages, and ${inOrder} in order`)
  })
})
