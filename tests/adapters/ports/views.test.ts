import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BEGINNING } from '../../../shared/event-sourcing/event.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import {
  append,
  appendAll,
  assertViewEqualsLog,
  created,
  edited,
  jobs,
  jobsByText,
  NOON,
  query,
} from '../../support/jobs.ts'
import { waitFor } from '../../support/wait-for.ts'

const views = [jobs, jobsByText]

describeOnDatabases('a view', (open) => {
  it('shows a row as soon as its append is acknowledged, by id and in lists', async () => {
    const { database } = await open(views)
    for (let id = 1; id <= 20; id++) {
      const row = await append(database, created(String(id), { at: NOON + id, title: `Number ${id}!` }))
      for (const view of views) {
        assert.deepEqual(await database.view(view).get(row.id), { ...row, view: view.name })
        const { rows, total } = await database.view(view).list(query({ limit: 1, search: `number ${id}!` }))
        assert.deepEqual([rows[0]?.id, total], [row.id, 1])
        assert.equal((await database.view(view).list(query())).total, id)
      }
    }
    const head = await database.events.head()
    await waitFor(async () => (await database.view(jobs).checkpoint()) === head, { what: 'the checkpoint at the head' })
  })

  it('returns a page and a total that agree despite concurrent writes', async () => {
    const { database } = await open(views)
    const writing = Array.from({ length: 60 }, (_, index) => append(database, created(String(index + 1))))
    let isWriting = true
    const written = Promise.all(writing).finally(() => {
      isWriting = false
    })
    while (isWriting) {
      const { rows, total } = await database.view(jobs).list(query({ limit: 100 }))
      assert.equal(total, rows.length)
      await nextTurn()
    }
    await written
    assert.equal((await database.view(jobs).list(query({ limit: 100 }))).total, 60)
  })

  it('has no row for an unknown or impossible id', async () => {
    const { database } = await open(views)
    await append(database, created('1'))
    for (const id of ['2', '01', '1.0', 'a', '', '-1', ' 1', '9007199254740993']) {
      assert.equal(await database.view(jobs).get(id), undefined)
    }
    assert.equal(await database.view(jobsByText).get('01'), undefined)
  })

  it('orders very many rows created in the same millisecond', async () => {
    const { database } = await open(views)
    const ids = Array.from({ length: 1500 }, (_, index) => String((index * 7919) % 1500))
    await appendAll(
      database,
      ids.map((id) => created(id)),
    )
    await assertViewEqualsLog(database, jobs)
    await assertViewEqualsLog(database, jobsByText)
  })

  it('moves a row whose creation time changes', async () => {
    const { database } = await open(views)
    const [first] = [
      await append(database, created('1', { at: NOON })),
      await append(database, created('2', { at: NOON + 10 })),
    ]
    await append(database, edited(first, { createdAt: NOON + 20 }))
    const { rows } = await database.view(jobs).list(query())
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['1', '2'],
    )
    await assertViewEqualsLog(database)
  })

  it('keeps everything across a close and reopen', async () => {
    const under = await open(views)
    const row = await append(under.database, created('1'))
    const again = await under.reopen(views)
    assert.deepEqual(await again.view(jobs).get('1'), row)
    await append(again, edited(row, { title: 'Later' }))
    await append(again, created('2'))
    await assertViewEqualsLog(again)
  })

  it('starts empty at the beginning of the log', async () => {
    const { database } = await open(views)
    assert.equal(await database.view(jobs).checkpoint(), BEGINNING)
    assert.deepEqual(await database.view(jobs).list(query()), { rows: [], total: 0 })
    assert.deepEqual(await database.view(jobs).list(query({ search: 'anything', offset: 3 })), { rows: [], total: 0 })
  })
})
