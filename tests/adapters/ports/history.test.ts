import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type HistoryPage, readHistory } from '../../../shared/event-sourcing/history.ts'
import { readAsOf } from '../../../shared/event-sourcing/past-states.ts'
import type { ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { createEventReader } from '../../../shared/event-sourcing/upcasting.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { forAllAsync } from '../../support/for-all.ts'
import { append, created, edited, type Job, jobs, NOON } from '../../support/jobs.ts'

type JobEvent = { readonly type: 'JobCreated.v1' | 'JobEdited.v1'; readonly data: object }
const readJobEvent = createEventReader<JobEvent>({ 'JobCreated.v1': true, 'JobEdited.v1': true })

/** Edits, each with the milliseconds since the one before. */
const edits = fc.array(
  fc.record({ later: fc.nat(2), change: fc.record({ title: fc.string(), hours: fc.nat() }, { requiredKeys: [] }) }),
  { maxLength: 8 },
)

describeOnDatabases('history', (open) => {
  it('folds to the row of every moment, and can be read in pages of any size', async () => {
    const { database } = await open([jobs])
    const past = { events: database.events, view: database.view(jobs) }
    let last = 0
    await forAllAsync(
      [edits, fc.nat(9), fc.integer({ min: 1, max: 9 })],
      { numRuns: 25 },
      async (changes, offset, limit) => {
        const id = String(++last)
        const versions: ViewRow<Job>[] = [await append(database, created(id))]
        for (const { later, change } of changes) {
          const before = versions.at(-1) as ViewRow<Job>
          versions.push(await append(database, edited(before, change, before.at + later)))
        }
        for (const { at } of versions) {
          const then = versions.filter((version) => version.at <= at).at(-1)
          const { state, version } = (await readAsOf(past, id, at)) ?? {}
          assert.deepEqual({ state, version }, { state: then?.state, version: then?.version })
        }
        assert.equal(await readAsOf(past, id, NOON - 1), undefined)
        const { events, total } = (await readHistory(past, readJobEvent, {
          id,
          offset,
          limit,
        })) as HistoryPage<Job, JobEvent>
        const expected = versions
          .slice(offset, offset + limit)
          .map(({ version, at }) => ({ version, at, by: 'ann', before: versions[version - 2]?.state }))
        assert.deepEqual(
          [events.map(({ version, by, before, event: { at } }) => ({ version, at, by, before })), total],
          [expected, versions.length],
        )
      },
    )
  })

  it('does not exist for an unknown id', async () => {
    const { database } = await open([jobs])
    const past = { events: database.events, view: database.view(jobs) }
    assert.equal(await readAsOf(past, '1', NOON), undefined)
    assert.equal(await readHistory(past, readJobEvent, { id: '1', offset: 0, limit: 10 }), undefined)
  })
})
