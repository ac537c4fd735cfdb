import assert from 'node:assert/strict'
import { type Db, MongoClient } from 'mongodb'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { append, created, edited, jobs, query } from '../../support/jobs.ts'
import { clientOf, fillMongoWithJobs, jobOf, RARE } from '../../support/many-mongo-jobs.ts'
import { dropDatabase, newDatabaseName } from '../../support/mongo-database.ts'

const COUNT = 30_000
/** What the server may look at for one call: index keys and documents together. */
const LOOKED_AT = 1_000

// The same questions at a million, in milliseconds: `npm run bench -- --only production-million`.
describeOn(mongoEngine(), 'MongoDB with many rows', (url) => {
  const name = newDatabaseName()
  let client: MongoClient
  let db: Db
  let database: Database
  before(async function () {
    this.timeout(60_000)
    await fillMongoWithJobs(url, name, COUNT)
    client = new MongoClient(url)
    db = client.db(name)
    database = await openMongoDatabase({ url, name, views: [jobs], search: { rowsASegment: 8_000 } })
  })
  after(async () => {
    await database?.close()
    await client?.close()
    await dropDatabase(url, name)
  })
  const list = (asked: Parameters<typeof query>[0]) => database.view(jobs).list(query(asked))

  it('knows every total and finds every page', async () => {
    const of = async (asked: Parameters<typeof query>[0]) => {
      const { rows, total } = await list({ limit: 2, ...asked })
      return [total, ...rows.map(({ id }) => Number(id))]
    }
    assert.deepEqual(await of({}), [COUNT, COUNT, COUNT - 1])
    assert.deepEqual(await of({ offset: 12_345 }), [COUNT, 17_655, 17_654])
    assert.deepEqual(await of({ offset: COUNT - 1 }), [COUNT, 1])
    assert.deepEqual(await of({ offset: COUNT }), [COUNT])
    assert.deepEqual(await of({ where: { client: clientOf(77) } }), [6, 25_077, 20_077])
    assert.deepEqual(await of({ search: 'RARE', offset: 298 }), [COUNT / RARE, 2 * RARE, RARE])
    assert.deepEqual(await of({ search: 'payroll', offset: 2_999 }), [COUNT / 10, 2])
    assert.deepEqual(await of({ search: ' 2999' }), [11, 29_999, 29_998])
    assert.deepEqual(await of({ search: 'q' }), [0])
    assert.deepEqual(await of({ search: 'yr' }), [COUNT / 10, 29_992, 29_982])
    assert.deepEqual(await of({ where: { client: clientOf(77) }, search: '077' }), [5, 25_077, 20_077])
  }).timeout(20_000)

  it('looks at little of them for any answer', async () => {
    const costs = {
      get: await lookedAt(() => database.view(jobs).get('15000')),
      list: await lookedAt(() => list({})),
      'deep page': await lookedAt(() => list({ offset: COUNT / 2 })),
      'last page': await lookedAt(() => list({ offset: COUNT - 50 })),
      filter: await lookedAt(() => list({ where: { client: clientOf(77) } })),
      'search that finds a tenth': await lookedAt(() => list({ search: 'payroll' })),
      'search that finds few': await lookedAt(() => list({ search: '500 rare' })),
      'search that finds nothing': await lookedAt(() => list({ search: 'nowhere' })),
      'search for a character': await lookedAt(() => list({ search: 'y' })),
    }
    const dear = Object.entries(costs).filter(([, cost]) => cost === 0 || cost > LOOKED_AT)
    assert.deepEqual(dear, [], JSON.stringify(costs))
  }).timeout(20_000)

  it('finds a new and an edited record at once, and no longer by what it was', async () => {
    const before = jobOf(COUNT / 2).rows[0] as Parameters<typeof edited>[0]
    await append(database, created(`${COUNT + 1}`, { at: Date.now(), title: 'Brand new' }))
    await append(database, edited(before, { title: 'Renamed' }))
    const found = async (search: string) => (await list({ search })).rows.map(({ id }) => id)
    assert.deepEqual(await found('brand NEW'), [`${COUNT + 1}`])
    assert.deepEqual(await found('renamed'), [before.id])
    assert.deepEqual(await found(before.state.title), [])
    assert.equal((await list({})).total, COUNT + 1)
  }).timeout(20_000)

  /** Index keys and documents that the server looks at for this, as its profiler says. */
  async function lookedAt(work: () => Promise<unknown>): Promise<number> {
    await db.command({ profile: 2, filter: { ns: new RegExp(`^${name}.(${jobs.name}|log)`) } })
    await work()
    await db.command({ profile: 0 })
    const entries = await db
      .collection('system.profile')
      .find({ op: { $in: ['query', 'getmore', 'command'] } })
      .toArray()
    await db.collection('system.profile').drop()
    return entries.reduce((sum, { keysExamined = 0, docsExamined = 0 }) => sum + keysExamined + docsExamined, 0)
  }
})
