import assert from 'node:assert/strict'
import { MongoClient } from 'mongodb'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { appendAll, noted } from '../../support/jobs.ts'
import { dropDatabase, newDatabaseName } from '../../support/mongo-database.ts'
import { waitFor } from '../../support/wait-for.ts'

describeOn(mongoEngine(), 'Wake-ups on MongoDB', (url) => {
  const name = newDatabaseName()
  let writing: Database
  let following: Database

  before(async () => {
    writing = await openMongoDatabase({ url, name, views: [] })
    following = await openMongoDatabase({ url, name, views: [] })
  })

  after(async () => {
    await Promise.all([writing.close(), following.close()])
    await dropDatabase(url, name)
  })

  it('come to a follower of another process soon after each append', async () => {
    let wakes = 0
    const end = following.events.onAppended(() => {
      wakes += 1
    })
    for (let version = 0; version < 10; version++) {
      const before = wakes
      await appendAll(writing, [noted('1', version)])
      await waitFor(() => wakes > before, { timeout: 1_000, what: `the wake-up for version ${version + 1}` })
    }
    end()
  })

  it('come again after the server has forgotten where a follower stood', async () => {
    let wakes = 0
    const end = following.events.onAppended(() => {
      wakes += 1
    })
    const client = await MongoClient.connect(url)
    await client.db(name).collection('log_notices').drop()
    await client.db(name).createCollection('log_notices', { capped: true, size: 4_096 })
    await client.close()
    // Each append leaves a notice; the follower hears of one of them once it has found its place again.
    let version = 0
    await waitFor(
      async () => {
        await appendAll(writing, [noted('2', version++)])
        return wakes > 0
      },
      { timeout: 5_000, every: 50, what: 'a wake-up' },
    )
    end()
    assert.equal((await following.events.readStream({ category: 'job', id: '2' })).length, version)
  })

  it('come to a process of its own appends without the server', async () => {
    let wakes = 0
    const end = writing.events.onAppended(() => {
      wakes += 1
    })
    await appendAll(writing, [noted('3', 0)])
    assert.equal(wakes, 1)
    end()
  })
})
