import assert from 'node:assert/strict'
import { MongoClient } from 'mongodb'
import { createViewCheckpoints, NOTHING_YET } from '../../../shared/adapters/mongo/views/view-checkpoints.ts'
import type { Position } from '../../../shared/event-sourcing/event.ts'
import { cleanup } from '../../support/cleanup.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { jobs } from '../../support/jobs.ts'
import { dropDatabase, newDatabaseName } from '../../support/mongo-database.ts'

describeOn(mongoEngine(), 'the checkpoint of a view on MongoDB', (url) => {
  const atEnd = cleanup()

  it('is moved by whoever knows where it stands, and never back by one that was overtaken', async () => {
    const name = newDatabaseName()
    const client = new MongoClient(url)
    atEnd(() => client.close())
    atEnd(() => dropDatabase(url, name))
    const checkpoints = createViewCheckpoints(client.db(name))
    const at = (position: number, count: number) => ({ position: position as Position, count })

    await checkpoints.start(jobs, NOTHING_YET)
    assert.ok(await checkpoints.move(jobs, NOTHING_YET, at(20, 9)))
    assert.ok(!(await checkpoints.move(jobs, NOTHING_YET, at(10, 5))))
    assert.deepEqual(await checkpoints.read(jobs), at(20, 9))
    assert.ok(!(await checkpoints.move(jobs, at(20, 8), at(30, 12))), 'nor from another count')
    await checkpoints.start(jobs, NOTHING_YET)
    assert.deepEqual(await checkpoints.read(jobs), at(20, 9), 'nor started anew')
    assert.equal(await checkpoints.read({ ...jobs, schema: 2 }), undefined, 'each schema has its own')
  })
})
