import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { CursorNotFound, type ListQuery, type ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { forAllAsync } from '../../support/for-all.ts'
import {
  append,
  appendAll,
  created,
  edited,
  type Job,
  jobs,
  jobsByText,
  NOON,
  newestFirst,
  query,
} from '../../support/jobs.ts'
import { isFoundPlainly, plainFold } from '../../support/plain-search.ts'
import { searchText } from '../../support/search-texts.ts'

const due = fc.constantFrom('2026-01-01', '2026-01-31', '2026-02-01', '2026-12-31', '')
const hours = fc.constantFrom(-5, 0, 1, 2, 1_700_000_000_000, 9_007_199_254_740_991)
const client = fc.constantFrom('Ada', 'Bob')
const text = fc.oneof(fc.constantFrom('Audit', 'Books', 'audit of books'), searchText)
const written = fc.record({ due, hours, client, title: text, kind: text, later: fc.nat({ max: 3 }) })

const bounds = <Value>(value: fc.Arbitrary<Value>) =>
  fc.option(fc.record({ from: fc.option(value, { nil: undefined }), to: fc.option(value, { nil: undefined }) }), {
    nil: undefined,
  })
/** Every combination of options of a list; `after` is an index into all rows. */
const anyQuestion = fc.record({
  client: fc.option(client, { nil: undefined }),
  between: fc.record({ due: bounds(due), hours: bounds(hours) }),
  search: fc.oneof(fc.constantFrom('', '', 'books', 'au', 'nowhere', 'books audit'), searchText),
  limit: fc.integer({ min: 1, max: 6 }),
  start: fc.oneof(fc.record({ offset: fc.nat(8) }), fc.record({ after: fc.nat(100) })),
  withoutTotal: fc.boolean(),
})

for (const view of [jobs, jobsByText]) {
  describeOnDatabases(`filters of ${view.name}`, (open) => {
    it('match a full scan in every combination', async () => {
      const { database } = await open([jobs, jobsByText])
      const rows: ViewRow<Job>[] = []
      await forAllAsync(
        [fc.array(written, { maxLength: 4 }), fc.array(anyQuestion, { maxLength: 8 })],
        { numRuns: 75 },
        async (more, all) => {
          const commits = more.map(({ later, ...fields }, index) =>
            created(String(rows.length + index + 1), { ...fields, at: NOON + later }),
          )
          await appendAll(database, commits)
          rows.push(...commits.map((commit) => commit.rows[0] as ViewRow<Job>))
          for (const { client, start, ...others } of all) {
            const after = 'after' in start && rows.length > 0 ? rows[start.after % rows.length]?.id : undefined
            const offset = 'offset' in start ? start.offset : 0
            await assertSameAsModel(database, rows, { ...others, where: { client }, offset, after })
          }
          for (const search of wordsIn(rows)) await assertSameAsModel(database, rows, query({ search, limit: 5 }))
        },
      )
    })

    it('reflect every edit', async () => {
      const { database } = await open([jobs, jobsByText])
      let rows = await Promise.all(['1', '2', '3'].map((id) => append(database, created(id))))
      await forAllAsync(
        [fc.nat(2), fc.record({ due, hours, title: text, kind: text }), bounds(due), bounds(hours)],
        { numRuns: 60 },
        async (n, change, d, h) => {
          const before = rows[n] as ViewRow<Job>
          rows = rows.with(n, await append(database, edited(before, change)))
          await assertSameAsModel(database, rows, query({ between: { due: d, hours: h } }))
          for (const search of [before.state.title, change.title, change.kind]) {
            await assertSameAsModel(database, rows, query({ search }))
          }
        },
      )
    })

    it('page through a whole list by cursor, each row once, despite concurrent writes', async () => {
      const { database } = await open([jobs, jobsByText])
      const ids = Array.from({ length: 90 }, (_, index) => String(index + 1))
      await appendAll(
        database,
        ids.map((id) => created(id, { at: NOON + Math.floor(Number(id) / 7) })),
      )
      const seen: string[] = []
      let next = 1000
      for (let after: string | undefined; ; after = seen.at(-1)) {
        const { rows } = await database.view(view).list(query({ limit: 7, after, withoutTotal: true }))
        if (rows.length === 0) break
        seen.push(...rows.map(({ id }) => id))
        await append(database, edited(rows[0] as ViewRow<Job>, { title: 'Edited meanwhile' }))
        await append(database, created(String(next++), { at: NOON + next }))
      }
      assert.equal(seen.length, 90)
      assert.deepEqual(new Set(seen), new Set(ids))
    })

    it('refuse a cursor that is not a row of the view', async () => {
      const { database } = await open([jobs, jobsByText])
      await append(database, created('1'))
      for (const after of ['2', '', '01', 'x']) {
        for (const search of ['', 'tax', 'ta']) {
          await assert.rejects(database.view(view).list(query({ after, search })), CursorNotFound)
        }
      }
    })
  })

  async function assertSameAsModel(database: Database, rows: readonly ViewRow<Job>[], question: ListQuery) {
    const ordered = rows.map((row) => ({ ...row, view: view.name })).sort(newestFirst(view))
    const matching = ordered.filter((row) => matches(row.state, question))
    const cursor = ordered.findIndex(({ id }) => id === question.after)
    const rest = matching.filter((row) => ordered.indexOf(row) > cursor)
    const expected = {
      rows: rest.slice(question.offset, question.offset + question.limit),
      total: question.withoutTotal ? 0 : matching.length,
    }
    assert.deepEqual(await database.view(view).list(question), expected, JSON.stringify(question))
  }
}

function matches(job: Job, { where, between = {}, search }: ListQuery): boolean {
  if (where.client !== undefined && job.client !== where.client) return false
  for (const name of ['due', 'hours'] as const) {
    const { from, to } = between[name] ?? {}
    if ((from !== undefined && job[name] < from) || (to !== undefined && job[name] > to)) return false
  }
  return isFoundPlainly(search, [job.title, job.kind])
}

/** Parts of the latest texts of one, two, three and more code points, and all of these in one search. */
function wordsIn(rows: readonly ViewRow<Job>[]): string[] {
  const [last, before] = rows.slice(-2).map(({ state }) => state)
  const points = [...plainFold(last?.title ?? '')]
  const parts = [1, 2, 3, 5].flatMap((length) => (points.length < length ? [] : [points.slice(-length).join('')]))
  return [...parts, parts.toReversed().join(' '), [last?.title, before?.kind, last?.kind].join('\u00a0')]
}
