import assert from 'node:assert/strict'
import { type Db, MongoClient } from 'mongodb'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import { readAsOf, stateAt } from '../../../shared/event-sourcing/past-states.ts'
import { SNAPSHOT_INTERVAL } from '../../../shared/event-sourcing/snapshots.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { append, created, jobs, NOON } from '../../support/jobs.ts'
import { appendEdits, hasSnapshots } from '../../support/long-streams.ts'
import { adminUrl, temporaryDatabase } from '../../support/mongo-database.ts'
import { newFolder } from '../../support/temporary-folder.ts'

describeOn(mongoEngine(), 'Long streams on MongoDB', (url) => {
  /** Job 1 in 260 versions. */
  async function openLongStream() {
    const name = temporaryDatabase(url)
    const client = atEnd.close(new MongoClient(adminUrl(url)))
    const database = atEnd.close(await openMongoDatabase({ url, name, views: [jobs], viewsFolder: newFolder() }))
    const versions = [await append(database, created('1'))]
    await appendEdits(database, versions, 259)
    await hasSnapshots(database, versions)
    return { database, db: client.db(name) }
  }

  it('are read at any version or moment while examining few documents', async () => {
    const { database, db } = await openLongStream()
    const past = { events: database.events, view: database.view(jobs) }
    for (const version of [5, 127, 128, 129, 250]) {
      const atVersion = await examined(db, () => stateAt(past, '1', version))
      assert.ok(atVersion <= SNAPSHOT_INTERVAL + 10, `${atVersion} documents for version ${version}`)
      const asOf = await examined(db, () => readAsOf(past, '1', NOON + version / 2))
      assert.ok(asOf <= 2 * SNAPSHOT_INTERVAL + 10, `${asOf} documents for the moment of version ${version}`)
    }
  })
})

/** How many documents of the log the server examines during `work`, for any caller. */
async function examined(db: Db, work: () => Promise<unknown>): Promise<number> {
  await db.collection('system.profile').drop()
  await db.setProfilingLevel('all')
  await work()
  await db.setProfilingLevel('off')
  const profile = db.collection('system.profile').find({ ns: `${db.databaseName}.log` })
  return (await profile.toArray()).reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0)
}
