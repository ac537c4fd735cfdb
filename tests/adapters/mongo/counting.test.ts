import assert from 'node:assert/strict'
import { MongoClient, ObjectId } from 'mongodb'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import { logOf } from '../../../shared/adapters/mongo/log/commit-document.ts'
import { BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import { MAX_SCANNED } from '../../../shared/event-sourcing/ports/log-scan.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { NOON } from '../../support/jobs.ts'
import { adminUrl, temporaryDatabase } from '../../support/mongo-database.ts'
import { newFolder } from '../../support/temporary-folder.ts'

describeOn(mongoEngine(), 'Counting events on MongoDB', (url) => {
  it('reads a part of the log per query, so that none takes longer than a call may, however long the log', async () => {
    const name = temporaryDatabase(url)
    const client = atEnd.close(new MongoClient(adminUrl(url)))
    const db = client.db(name)
    const database = atEnd.close(await openMongoDatabase({ url, name, views: [], viewsFolder: newFolder() }))
    // As if there were others between them.
    const commits = [1, MAX_SCANNED + 1].map((position) => ({
      _id: position,
      commitId: `commit ${position}`,
      stream: `job/${position}`,
      events: [{ version: 1, type: 'JobCreated.v1', data: {} }],
      ...{ at: NOON, by: 'test', requestId: 'test', attempt: new ObjectId() },
    }))
    await logOf(db).insertMany(commits)
    await db.setProfilingLevel('all')
    const range = { after: BEGINNING, upTo: (MAX_SCANNED + 1) as Position }
    assert.equal(await database.events.countIn(['job'], range), commits.length)
    await db.setProfilingLevel('off')
    const counting = { ns: `${name}.log`, 'command.aggregate': 'log' }
    const queries = await db.collection('system.profile').find(counting).toArray()
    const examined = queries.map(({ docsExamined }) => docsExamined)
    assert.deepEqual(examined, [1, 1])
  })
})
