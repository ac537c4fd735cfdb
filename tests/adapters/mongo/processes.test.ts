import assert from 'node:assert/strict'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { assertViewEqualsLog, jobsByText, query } from '../../support/jobs.ts'
import { dropDatabase, newDatabaseName } from '../../support/mongo-database.ts'
import { waitFor } from '../../support/wait-for.ts'
import { assertLogIsWhole } from '../../support/whole-log.ts'
import { startWriters, type Writers } from './writers.ts'

describeOn(mongoEngine(), 'MongoDB with three processes', (url) => {
  const name = newDatabaseName()
  let writers: Writers | undefined

  afterEach(async () => {
    await writers?.kill()
    await dropDatabase(url, name)
  })

  it('writes their concurrent appends to shared and separate streams into one gapless log', async () => {
    const database = await openMongoDatabase({ url, name, views: [jobsByText] })
    writers = await startWriters(url, name)
    await waitFor(async () => (await database.events.head()) > 500, { timeout: 40_000, what: '500 events' })
    const acknowledged = await writers.stop()

    const log = await assertLogIsWhole(database, acknowledged)
    assert.equal(log.length, acknowledged.length)
    await assertViewEqualsLog(database, jobsByText)
    await database.close()
  }).timeout(60_000)

  it('shows every record in lists, totals and searches after the processes are killed', async () => {
    writers = await startWriters(url, name)
    const before = await openMongoDatabase({ url, name, views: [] })
    await waitFor(async () => (await before.events.head()) > 300, { timeout: 40_000, what: '300 events' })
    await writers.kill()
    await before.close()

    const database = await openMongoDatabase({ url, name, views: [jobsByText] })
    await assertViewEqualsLog(database, jobsByText)
    const { total } = await database.view(jobsByText).list(query({ search: 'TAX' }))
    assert.equal(total, (await database.view(jobsByText).list(query())).total)
    await database.close()
  }).timeout(60_000)
})
