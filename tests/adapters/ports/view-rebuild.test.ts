import assert from 'node:assert/strict'
import type { ViewDefinition, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import {
  append,
  assertViewEqualsLog,
  edited,
  type Job,
  jobs,
  jobsByText,
  query,
  wholeView,
  writeJobs,
} from '../../support/jobs.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Jobs as defined after a change of the program: with another state, filter and search text, and without ranges. */
const { ranges: _, ...withoutRanges } = jobs
const jobsChanged: ViewDefinition<Job> = {
  ...withoutRanges,
  filters: { initial: ({ client }) => client.charAt(0) },
  searchTexts: [({ client }) => client],
  fold: (state, event) => ({ ...jobs.fold(state, event), kind: 'changed' }),
}

describeOnDatabases('rebuild of a view', (open) => {
  it('produces the same rows as the appends', async () => {
    const { database } = await open([jobs, jobsByText])
    await writeJobs(database, 700)
    const before = await wholeView(database)
    const reached: number[] = []
    await database.view(jobs).rebuild((position) => reached.push(position))
    assert.deepEqual(await wholeView(database), before)
    const head = await database.events.head()
    assert.equal(reached.at(-1), head)
    // Jobs with a 7 in their number.
    assert.equal((await database.view(jobs).list(query({ search: '7 number' }))).total, 134)
    // On MongoDB, the catch-up rounds advance the checkpoint later.
    await waitFor(async () => (await database.view(jobs).checkpoint()) === head, {
      what: 'the checkpoint at the head',
    })
    await assertViewEqualsLog(database, jobsByText)
  })

  it('happens automatically when the definition changes, and again when it changes back', async () => {
    const under = await open([jobs])
    await writeJobs(under.database, 120)
    const changed = await under.reopen([jobsChanged])
    assert.equal((await changed.view(jobsChanged).get('7'))?.state.kind, 'changed')
    assert.equal((await changed.view(jobsChanged).list(query({ where: { initial: 'A' } }))).total, 120)
    assert.equal((await changed.view(jobsChanged).list(query({ search: 'number' }))).total, 0)
    assert.equal((await changed.view(jobsChanged).list(query({ search: 'ada' }))).total, 120)
    const row = (await changed.view(jobsChanged).get('7')) as ViewRow<Job>
    await append(changed, edited(row, { title: 'Edited' }))

    const back = await under.reopen([jobs])
    await assertViewEqualsLog(back)
    assert.equal((await back.view(jobs).get('7'))?.state.title, 'Edited')
    const inRanges = { hours: { from: 1, to: 1 }, due: { to: '2026-03-31' } }
    assert.equal((await back.view(jobs).list(query({ between: inRanges }))).total, 120)
    await append(back, edited((await back.view(jobs).get('8')) as ViewRow<Job>, { due: '2026-04-01' }))
    assert.equal((await back.view(jobs).list(query({ between: inRanges }))).total, 119)
  })

  it('happens automatically for a new view, and for one that missed writes', async () => {
    const under = await open([])
    const rows = await writeJobs(under.database, 50)
    await assertViewEqualsLog(await under.reopen([jobs]))
    const without = await under.reopen([jobsByText])
    await append(without, edited(rows[3] as ViewRow<Job>, { title: 'Not seen by the other view' }))
    const again = await under.reopen([jobs, jobsByText])
    await assertViewEqualsLog(again)
    await assertViewEqualsLog(again, jobsByText)
  })
})
