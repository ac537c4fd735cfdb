import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { shapeOf } from '../../shared/adapters/sqlite/views/view-shape.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { otherVersion } from '../support/changed-tree.ts'
import { atEnd } from '../support/cleanup.ts'
import { describeOn, mongoEngine } from '../support/engines.ts'
import { append, assertViewEqualsLog, created, jobs, query } from '../support/jobs.ts'
import { temporaryDatabase } from '../support/mongo-database.ts'
import { newFolder } from '../support/temporary-folder.ts'

const FOLDING = 'shared/event-sourcing/search-folding.ts'
const SHAPE = 'shared/adapters/sqlite/views/view-shape.ts'

describe('The search index of a Mint that folds texts differently', () => {
  /** The exports of a module in a copy of Mint with one change. */
  async function changed(file: string, text: string, module: string) {
    const tree = atEnd.remove(otherVersion(file, text, text === 'process.versions.unicode' ? "'0.0'" : ''))
    return await import(pathToFileURL(join(tree.path, module)).href)
  }

  async function assertRebuilt(before: Database, reopen: () => Promise<Database>): Promise<void> {
    await append(before, created('1', { title: 'Crème brûlée' }))
    const total = async (database: Database, search: string) =>
      (await database.view(jobs).list(query({ search }))).total
    assert.deepEqual([await total(before, 'crème'), await total(before, 'creme')], [1, 0])
    await before.close()
    const now = atEnd.close(await reopen())
    assert.deepEqual([await total(now, 'crème'), await total(now, 'brulee creme')], [1, 1])
    await assertViewEqualsLog(now, jobs)
  }

  it('is rebuilt in the same file', async () => {
    const options = { file: join(newFolder(), 'jobs.db'), views: [jobs] }
    const other = await changed(FOLDING, ".replace(/\\p{Mn}/gu, '')", 'shared/adapters/sqlite/database.main.ts')
    await assertRebuilt(await other.openSqliteDatabase(options), () => openSqliteDatabase(options))
  })

  describeOn(mongoEngine(), 'beside MongoDB', (url) => {
    it('is rebuilt from the same log', async () => {
      const stored = { url, name: temporaryDatabase(url), viewsFolder: newFolder() }
      const options = { ...stored, views: [jobs], buildsViews: 'at-start' as const }
      const other = await changed(FOLDING, ".replace(/\\p{Mn}/gu, '')", 'shared/adapters/mongo/database.ts')
      await assertRebuilt(await other.openMongoDatabase(options), () => openMongoDatabase(options))
    })
  })

  it('also changes if only the Unicode version or the folding of whole values differs', async () => {
    for (const [file, text] of [
      [SHAPE, 'process.versions.unicode'],
      [FOLDING, '^\\p{White_Space}+|'],
    ] as const) {
      const other = await changed(file, text, SHAPE)
      assert.notEqual(other.shapeOf(jobs).fingerprint, shapeOf(jobs).fingerprint)
    }
  })
})
