import assert from 'node:assert/strict'
import fc from 'fast-check'
import { CursorNotFound, type ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { forAllAsync } from '../../support/for-all.ts'
import { appendAll, type Job, NOON, newestFirst, query } from '../../support/jobs.ts'
import { named, type Person, people, relatedJob, relatedJobs, scanned } from '../../support/related-jobs.ts'
import { searchText } from '../../support/search-texts.ts'

const PEOPLE = ['p1', 'p2', 'p3', 'p4', 'p5']
const due = fc.constantFrom('2026-01-01', '2026-01-31', '2026-02-01')
const kind = fc.constantFrom('tax', 'audit')
/** Some jobs have clients that don't exist, or not yet. */
const job = fc.record({
  client: fc.constantFrom(...PEOPLE, 'nobody', ''),
  kind,
  title: searchText,
  due,
  hours: fc.constant(1),
})
const name = fc.record({ id: fc.constantFrom(...PEOPLE), name: searchText })
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const anyQuestion = fc.record({
  related: searchText,
  search: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 1, arbitrary: searchText }),
  where: fc.record({ kind: optional(kind), client: optional(fc.constantFrom('p1', 'nobody')) }),
  due: optional(fc.record({ from: optional(due), to: optional(due) })),
  limit: fc.integer({ min: 1, max: 6 }),
  start: fc.oneof(fc.record({ offset: fc.nat(8) }), fc.record({ after: fc.nat(100) })),
  withoutTotal: fc.boolean(),
})

describeOnDatabases('lists by a search in a related view', (open) => {
  it('match a full scan of both views, whatever is created and renamed', async () => {
    const { database } = await open([people, relatedJobs])
    const jobs: ViewRow<Job>[] = []
    const persons = new Map<string, ViewRow<Person>>()
    const round = fc.tuple(fc.array(job, { maxLength: 5 }), fc.array(name, { maxLength: 2 }), fc.array(anyQuestion))
    await forAllAsync([round], { numRuns: 40 }, async ([more, names, questions]) => {
      const made = more.map((fields, n) => relatedJob(`${jobs.length + n + 1}`, fields, NOON + (n >> 1)))
      await appendAll(database, made)
      jobs.push(...made.map(({ rows }) => rows[0] as ViewRow<Job>))
      jobs.sort(newestFirst(relatedJobs))
      for (const { id, name } of names) {
        const commit = named(id, name, NOON, persons.get(id))
        await appendAll(database, [commit])
        persons.set(id, commit.rows[0] as ViewRow<Person>)
      }
      const parts = [...persons.values()].map(({ state }) => [...state.name].slice(0, 3).join(''))
      for (const { related, due: dates, start, ...rest } of questions) {
        const after = 'after' in start && jobs.length > 0 ? jobs[start.after % jobs.length]?.id : undefined
        const offset = 'offset' in start ? start.offset : 0
        for (const search of [related, ...parts]) {
          const question = query({
            ...rest,
            between: { due: dates },
            related: { filter: 'client', search },
            offset,
            after,
          })
          const expected = scanned(jobs, [...persons.values()], question)
          const [first, again] = [
            await database.view(relatedJobs).list(question),
            await database.view(relatedJobs).list(question),
          ]
          assert.deepEqual([first, again], [expected, expected], JSON.stringify(question))
        }
      }
    })
  }).timeout(120_000)

  it('refuse an unknown cursor, and a filter without a relation', async () => {
    const { database } = await open([people, relatedJobs])
    const list = (filter: string, after?: string) =>
      database.view(relatedJobs).list(query({ related: { filter, search: 'x' }, after }))
    await assert.rejects(list('client', '7'), CursorNotFound)
    await assert.rejects(list('kind'), /view related_jobs has no relation kind/)
  })

  it('find the same rows after a rebuild of either view', async () => {
    const { database } = await open([people, relatedJobs])
    const fields = { kind: 'tax', title: 'Tax return', due: '2026-01-31', hours: 1, client: 'p1' }
    await appendAll(database, [named('p1', 'Ada', NOON), relatedJob('1', fields, NOON)])
    const total = async () =>
      (await database.view(relatedJobs).list(query({ related: { filter: 'client', search: 'ada' } }))).total
    assert.equal(await total(), 1)
    await database.view(people).rebuild()
    assert.equal(await total(), 1)
    await database.view(relatedJobs).rebuild()
    assert.equal(await total(), 1)
  })
})
