import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { atEnd } from '../support/cleanup.ts'
import { appendAll, created, jobs, query } from '../support/jobs.ts'
import { newFolder } from '../support/temporary-folder.ts'

describe('A SQLite search for a long word', () => {
  async function searching(...titles: readonly string[]) {
    const database = await openSqliteDatabase({ file: join(newFolder(), 'test.db'), views: [jobs] })
    atEnd(() => database.close())
    const events = titles.map((title, index) => created(String(index + 1), { title }))
    await appendAll(database, events)
    return async (search: string) => {
      const { rows, total } = await database.view(jobs).list(query({ search }))
      return [total, ...rows.map(({ id }) => Number(id))]
    }
  }

  it('doesn’t compare it with every place in a text where a part of it occurs, which would take minutes', async () => {
    const title = 'a'.repeat(50_000)
    const found = await searching(title)
    assert.deepEqual(await found(`${title}a`), [0])
    assert.deepEqual(await found(title), [1, 1])
  })

  it('finds only texts that contain all of it, although not all of its trigrams are looked up', async () => {
    const word = 'abcdefghijklmnopqrstuvwxyz"0123456789'
    const found = await searching(
      `${word.slice(1)}${word.slice(0, -1)}`,
      word,
      `${word.slice(0, 20)}.${word.slice(16)}`,
    )
    assert.deepEqual(await found(word), [1, 2])
  })
})
