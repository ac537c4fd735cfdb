import assert from 'node:assert/strict'
import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../../shared/event-sourcing/ports/event-store.ts'
import type { ViewDefinition, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { append, assertViewEqualsLog, created, edited, type Job, jobs, query } from '../../support/jobs.ts'
import { dropDatabase, temporaryDatabase } from '../../support/mongo-database.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { dropViewIndexes, viewIndexes } from '../../support/view-indexes.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Jobs as defined by another version of the program. */
const jobsLater: ViewDefinition<Job> = {
  ...jobs,
  fold: (state, event) => ({ ...jobs.fold(state, event), kind: 'later' }),
}

describeOn(mongoEngine(), 'A process’s view file', (url) => {
  let name: string
  let folder: string
  beforeEach(() => {
    name = temporaryDatabase(url)
    folder = newFolder()
  })

  async function open(definition: ViewDefinition<Job> = jobs): Promise<Database> {
    const database = await openMongoDatabase({
      url,
      name,
      views: [definition],
      viewsFolder: folder,
      buildsViews: 'at-start',
    })
    atEnd(() => database.close())
    return database
  }

  /** Fills a view file with `count` jobs, the first of them edited, and closes it. */
  async function filled(count: number): Promise<void> {
    const database = await open()
    const [first] = await Promise.all(Array.from({ length: count }, (_, n) => append(database, created(`${n + 1}`))))
    await append(database, edited(first as ViewRow<Job>, { title: 'Edited' }))
    await assertViewEqualsLog(database)
    await database.close()
  }

  async function onLog(work: (client: MongoClient) => Promise<unknown>): Promise<void> {
    const client = new MongoClient(url)
    await work(client).finally(() => client.close())
  }

  const fileIn = (place: string | undefined): string => join(folder, place ?? '', 'views.db')
  const places = (): string[] => readdirSync(folder).sort()

  it('resumes from its checkpoint when it is reopened', async () => {
    await filled(20)
    const [before] = places()
    const { ino } = statSync(fileIn(before))
    const again = await open()
    await assertViewEqualsLog(again)
    assert.deepEqual([places(), statSync(fileIn(before)).ino], [[before], ino])
  })

  it('gets the indexes that it lacks when it is reopened, as after a kill at the end of a build', async () => {
    await filled(20)
    const file = fileIn(places()[0])
    const names = dropViewIndexes(file)
    assert.ok(names.length > 0)
    const again = await open()
    await assertViewEqualsLog(again)
    await again.close()
    assert.deepEqual(viewIndexes(file), names)
  })

  it('is rebuilt if it is damaged or not a Mint file', async () => {
    await filled(20)
    const file = fileIn(places()[0])
    truncateSync(file, statSync(file).size - 4096)
    const repaired = await open()
    await assertViewEqualsLog(repaired)
    await repaired.close()
    writeFileSync(file, 'not a database of anybody’s, and long enough to be looked at as one'.repeat(100))
    await assertViewEqualsLog(await open())
  })

  it('is rebuilt on request, with or without progress reports', async () => {
    await filled(5)
    const database = await open()
    const file = fileIn(places()[0])
    for (const report of [undefined, () => undefined]) {
      const { ino, birthtimeNs } = statSync(file, { bigint: true })
      await database.view(jobs).rebuild(report)
      const after = statSync(file, { bigint: true })
      assert.notDeepEqual([after.ino, after.birthtimeNs], [ino, birthtimeNs])
      await assertViewEqualsLog(database)
    }
  })

  it('is rebuilt if it is removed while open', async () => {
    await filled(20)
    const running = await open()
    rmSync(join(folder, places()[0] ?? ''), { recursive: true })
    await append(running, created('21'))
    // The read that notices it is refused; the next one finds the file rebuilt.
    await waitFor(async () => (await running.view(jobs).list(query())).total === 21, { what: 'the views' })
    await assertViewEqualsLog(running)
  })

  for (const suffix of ['', '-wal']) {
    for (const left of [0, 0.5]) {
      it(`is rebuilt if views.db${suffix} is truncated to ${left * 100} % while open`, async () => {
        await filled(300)
        const running = await open()
        for (let n = 301; n <= 400; n++) await append(running, created(`${n}`))
        assert.equal((await running.view(jobs).list(query())).total, 400)
        const file = `${fileIn(places()[0])}${suffix}`
        truncateSync(file, Math.floor(statSync(file).size * left))
        for (let n = 401; n <= 420; n++) await append(running, created(`${n}`))
        // Reads that notice it are refused; later ones find the file rebuilt.
        const refused: unknown[] = []
        const rebuilt = async () => {
          const checked = assertViewEqualsLog(running)
          return await checked.then(() => true).catch((error) => refused.push(error) === 0)
        }
        await waitFor(rebuilt, { what: 'the views' })
        assert.ok(refused.every((error) => error instanceof StoreUnavailable))
      })
    }
  }

  it('is rebuilt if the log is restored to an earlier state, even while open', async () => {
    await filled(20)
    const running = await open()
    assert.equal((await running.view(jobs).list(query())).total, 20)
    await onLog((client) =>
      client
        .db(name)
        .collection<{ _id: number }>('log')
        .deleteMany({ _id: { $gt: 10 } }),
    )
    assert.equal((await running.view(jobs).list(query())).total, 10)
    await assertViewEqualsLog(running)
    await running.close()
    await assertViewEqualsLog(await open())
  })

  it('is rebuilt if a restore loses the last commit and it is sent again under the same commit id', async () => {
    const running = await open()
    const commit = { ...created('1', { title: 'before' }), commitId: 'a key of the caller' }
    await append(running, commit)
    assert.equal((await running.view(jobs).get('1'))?.state.title, 'before')
    await onLog((client) => client.db(name).collection('log').deleteMany({}))
    const elsewhere = await open()
    await append(elsewhere, { ...created('1', { title: 'after' }), commitId: commit.commitId })
    assert.equal((await running.view(jobs).get('1'))?.state.title, 'after')
  })

  it('is rebuilt if the database is dropped and recreated', async () => {
    await filled(20)
    await dropDatabase(url, name)
    const fresh = await open()
    assert.equal((await fresh.view(jobs).list(query())).total, 0)
    await append(fresh, created('1'))
    await assertViewEqualsLog(fresh)
  })

  it('is separate for each process and definition, so that two versions write and read side by side', async () => {
    const before = await open()
    const twin = await open()
    const after = await open(jobsLater)
    assert.equal(places().length, 3)
    const writers = [before, twin, after]
    for (let n = 1; n <= 30; n++) {
      const row = await append(writers[n % 3] as Database, created(`${n}`))
      assert.deepEqual(await before.view(jobs).get(row.id), row)
      assert.deepEqual(await twin.view(jobs).get(row.id), row)
      assert.equal((await after.view(jobsLater).get(row.id))?.state.kind, 'later')
      assert.deepEqual(
        await Promise.all(
          [before.view(jobs), after.view(jobsLater)].map(async (view) => (await view.list(query())).total),
        ),
        [n, n],
      )
    }
  })

  it('is removed once no process uses its definition, except for its lock, which a process may be about to take', async () => {
    await filled(5)
    const [old = ''] = places()
    const after = await open(jobsLater)
    assert.equal((await after.view(jobsLater).list(query())).total, 5)
    assert.deepEqual(readdirSync(join(folder, old)), ['lock'])
    await assertViewEqualsLog(await open())
    assert.equal(places().length, 2)
  })

  it('replaces the collections of format 1, and leaves the log unchanged', async () => {
    await filled(5)
    await onLog(async (client) => {
      const db = client.db(name)
      await db
        .collection<{ _id: string }>('format')
        .updateOne({ _id: 'format' }, { $set: { number: 1 }, $unset: { log: '' } })
      for (const gone of ['contracts', 'contracts_segments_2', 'view_checkpoints'])
        await db.collection(gone).insertOne({})
    })
    const database = await open()
    await assertViewEqualsLog(database)
    await onLog(async (client) => {
      const names = (await client.db(name).listCollections({}, { nameOnly: true }).toArray()).map((one) => one.name)
      assert.deepEqual(
        ['contracts', 'contracts_segments_2', 'view_checkpoints', 'log', 'format'].filter((one) => names.includes(one)),
        ['log', 'format'],
      )
    })
  })
})
