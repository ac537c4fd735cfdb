import assert from 'node:assert/strict'
import { describeOnDatabases } from '../support/database-fixtures.ts'
import { append, appendAll, created, jobs, query } from '../support/jobs.ts'

// What is found, and after every edit: adapters/ports/view-filters.test.ts.
describeOnDatabases('search', (open) => {
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
