import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { Commit } from '../../shared/event-sourcing/ports/event-store.ts'
import type { ListQuery, ViewRow } from '../../shared/event-sourcing/ports/view.ts'
import { describeOnDatabases } from '../support/database-fixtures.ts'
import { forAllAsync } from '../support/for-all.ts'
import { append, appendAll, created, edited, type Job, jobs, NOON, newestFirst, query } from '../support/jobs.ts'
import { isFoundPlainly, plainFold } from '../support/plain-search.ts'
import { searchText as text } from '../support/search-texts.ts'

const client = fc.constantFrom('Ada', 'Bob')
const written = fc.record({ title: text, kind: text, client, later: fc.nat({ max: 3 }) })

describeOnDatabases('search', (open) => {
  it('finds exactly what a full scan finds', async () => {
    const { database } = await open([jobs])
    const rows: ViewRow<Job>[] = []
    await fc.assert(
      fc.asyncProperty(
        fc.array(written, { maxLength: 6 }),
        text,
        fc.option(client),
        fc.nat(4),
        async (more, some, whose, offset) => {
          const commits = more.map(({ later, ...fields }, index) =>
            created(String(rows.length + index + 1), { ...fields, at: NOON + later }),
          )
          await appendAll(database, commits)
          rows.push(...commits.map((commit) => rowOf(commit)))
          const where = whose === null ? {} : { client: whose }
          const [last, before] = rows.slice(-2).map(({ state }) => state)
          const several = [last?.title, before?.kind, last?.kind].join('\u00a0')
          for (const search of [some, several, ...partsOf(last?.title ?? '')]) {
            await assertSameAsModel(database, rows, query({ where, search, offset, limit: 5 }))
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('reflects every edit', async () => {
    const { database } = await open([jobs])
    const rows = new Map<string, ViewRow<Job>>()
    for (const id of ['1', '2', '3']) rows.set(id, await append(database, created(id)))
    await forAllAsync(
      [fc.constantFrom('1', '2', '3'), text, text, text],
      { numRuns: 100 },
      async (id, title, kind, search) => {
        const before = rows.get(id)
        assert.ok(before)
        const row = await append(database, edited(before, { title, kind }))
        rows.set(id, row)
        for (const term of [search, before.state.title, title, kind]) {
          await assertSameAsModel(database, [...rows.values()], query({ search: term }))
        }
      },
    )
  })

  it('finds nothing for a term with a NUL, which no text can contain', async () => {
    const { database } = await open([jobs])
    await append(database, created('1', { title: 'tax return' }))
    for (const search of ['\0', 'tax\0', 'tax\0return', '\0tax']) {
      assert.deepEqual(
        await database.view(jobs).list(query({ search })),
        { rows: [], total: 0 },
        JSON.stringify(search),
      )
    }
  })

  it('never confuses two characters, including noncharacters', async () => {
    const { database } = await open([jobs])
    const titles = ['ab\ufffd', 'ab\ufffe', 'ab\uffff']
    await appendAll(
      database,
      titles.map((title, index) => created(String(index + 1), { title, kind: 'x' })),
    )
    for (const [index, search] of titles.entries()) {
      const { rows, total } = await database.view(jobs).list(query({ search }))
      assert.deepEqual([rows.map(({ id }) => id), total], [[String(index + 1)], 1], JSON.stringify(search))
    }
  })

  it('takes pattern characters literally', async () => {
    const { database } = await open([jobs])
    const titles = [...'*?[]^-%_.\\"\'()'].map((character) => `a${character}b`)
    await appendAll(
      database,
      titles.map((title, index) => created(String(index + 1), { title, kind: 'x' })),
    )
    for (const [index, title] of titles.entries()) {
      for (const search of [title.slice(1, 2), title.slice(0, 2), title]) {
        const { rows, total } = await database.view(jobs).list(query({ search }))
        assert.deepEqual([rows.map(({ id }) => id), total], [[String(index + 1)], 1], search)
      }
    }
  })
})

async function assertSameAsModel(database: Database, rows: readonly ViewRow<Job>[], asked: ListQuery): Promise<void> {
  const matching = rows
    .filter(({ state }) => asked.where.client === undefined || state.client === asked.where.client)
    .filter(({ state }) => isFoundPlainly(asked.search, [state.title, state.kind]))
    .sort(newestFirst(jobs))
  const page = await database.view(jobs).list(asked)
  const ids = (some: readonly ViewRow<Job>[]): string[] => some.map(({ id }) => id)
  assert.deepEqual(
    { ids: ids(page.rows), total: page.total },
    { ids: ids(matching.slice(asked.offset, asked.offset + asked.limit)), total: matching.length },
    JSON.stringify(asked),
  )
}

/** Substrings of a text of one, two, three and more code points, and all of these in one search. */
function partsOf(whole: string): string[] {
  const points = [...plainFold(whole)]
  const parts = [1, 2, 3, 5].flatMap((length) => (points.length < length ? [] : [points.slice(-length).join('')]))
  return [...parts, parts.toReversed().join(' ')]
}

function rowOf({ rows }: Commit): ViewRow<Job> {
  return rows[0] as ViewRow<Job>
}
