import assert from 'node:assert/strict'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../../shared/event-sourcing/ports/event-store.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { appendAll, assertViewEqualsLog, created, jobs, noted } from '../../support/jobs.ts'
import { temporaryDatabase } from '../../support/mongo-database.ts'
import { describeWithSmallDisks, type SmallDisk, smallDisk } from '../../support/small-disk.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

describeOn(mongoEngine(), 'Views on a separate disk', (url) => {
  describeWithSmallDisks('that is full or read-only', () => {
    let name: string
    let disk: SmallDisk
    beforeEach(() => {
      name = temporaryDatabase(url)
      disk = smallDisk(16)
      atEnd(() => disk.remove())
    })

    async function open(viewsFolder: string): Promise<Database> {
      return atEnd.close(await openMongoDatabase({ url, name, views: [jobs], viewsFolder, buildsViews: 'at-start' }))
    }

    /** Jobs that take some megabytes in a view. */
    const largeJobs = (first: number, count = 300) =>
      Array.from({ length: count }, (_, n) => created(`${first + n}`, { title: 'x'.repeat(10_000) }))

    async function assertReadsFail(database: Database, why = ''): Promise<void> {
      const view = database.view(jobs)
      await waitFor(
        () =>
          view.get('1').then(
            () => false,
            (error) => error instanceof StoreUnavailable && error.message.startsWith(why),
          ),
        {
          what: 'a read that is refused',
        },
      )
    }

    it('refuse reads while it is full, still accept appends, and show everything once there is room', async () => {
      const database = await open(disk.path)
      await appendAll(database, [created('1')])
      await assertViewEqualsLog(database)
      disk.fill()
      await appendAll(database, largeJobs(2))
      await assertReadsFail(database, `the disk with the views is full: make room next to ${disk.path}`)
      assert.equal((await database.events.append(noted('1', 1))).type, 'appended')

      const elsewhere = newFolder()
      await assertViewEqualsLog(await open(elsewhere))

      disk.makeRoom()
      await waitFor(
        () =>
          database
            .view(jobs)
            .get('1')
            .catch(() => undefined),
        { timeout: 10_000, what: 'a read' },
      )
      await assertViewEqualsLog(database)
    })

    it('refuse reads once it is read-only, and still accept appends', async () => {
      const database = await open(disk.path)
      await appendAll(database, [created('1')])
      disk.failToReadOnly()
      assert.equal((await database.events.append(noted('1', 1))).type, 'appended')
      await assertReadsFail(database)
      await database.close()

      const elsewhere = newFolder()
      await assertViewEqualsLog(await open(elsewhere))
    })
  })
})
