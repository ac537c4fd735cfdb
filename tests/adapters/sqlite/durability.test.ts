import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.main.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { atEnd } from '../../support/cleanup.ts'
import { append, appendAll, assertViewEqualsLog, created, jobs, NOON, wholeLog } from '../../support/jobs.ts'
import { describeWithSmallDisks, type SmallDisk, smallDisk } from '../../support/small-disk.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { writeAheadLog } from '../../support/write-ahead-log.ts'

describe('SQLite durability', () => {
  let file: string
  beforeEach(() => {
    file = join(newFolder(), 'test.db')
  })

  const open = async (at = file): Promise<Database> =>
    atEnd.close(await openSqliteDatabase({ file: at, views: [jobs] }))

  it('moves the checkpoint of a rebuilt view with the swap, not after it', async () => {
    const database = await open()
    await append(database, created('8001'))
    await database.view(jobs).rebuild()
    assert.equal(await database.view(jobs).checkpoint(), await database.events.head())
  })

  it('groups appends that arrive while the thread is busy in at most two transactions, and commits single ones immediately', async () => {
    // Opened first, so that the thread serves it first.
    const busy = atEnd.close(await openSqliteDatabase({ file: `${file}-busy`, views: [jobs] }))
    const database = atEnd.close(await openSqliteDatabase({ file, views: [jobs] }))
    await append(database, created('1'))

    const lock = atEnd.close(new DatabaseSync(`${file}-busy`))
    lock.exec('BEGIN IMMEDIATE')
    const before = writeAheadLog(file).transactions
    const waiting = append(busy, created('1'))
    // By the end of a turn, the requests made in it have been handed to the thread.
    await nextTurn()
    const together = appendAll(
      database,
      Array.from({ length: 320 }, (_, index) => created(String(2 + index))),
    )
    await nextTurn()
    lock.exec('ROLLBACK')
    await Promise.all([waiting, together])
    // The thread may have switched to the other file in between. With one transaction for each 16 that are handed over
    // at a time, there would be 20.
    const transactions = writeAheadLog(file).transactions - before
    assert.ok(transactions <= 2, `320 appends in ${transactions} transactions`)

    for (let id = 1001; id <= 1020; id++) await append(database, created(String(id)))
    assert.equal(writeAheadLog(file).transactions - before, transactions + 20)
  })
})

describeWithSmallDisks('SQLite on a disk', () => {
  let disk: SmallDisk
  let database: Database
  let number = 0
  before(async () => {
    disk = smallDisk(12)
    database = await openSqliteDatabase({ file: join(disk.path, 'test.db'), views: [jobs] })
  })
  after(async () => {
    await database?.close()
    disk?.remove()
  })
  const write = () => database.events.append(created(String(++number), { at: NOON, title: 'x'.repeat(20_000) }))

  it('that is full refuses appends as unavailable, writes nothing, still reads, and recovers once there is room', async () => {
    assert.equal((await write()).type, 'appended')
    disk.fill()
    const refused = await waitFor(
      () =>
        write().then(
          () => undefined,
          (error: Error) => error,
        ),
      {
        every: 0,
        what: 'the disk to be full',
      },
    )
    assert.equal(refused.name, 'StoreUnavailable')
    await assert.rejects(database.checkWritable(), { name: 'StoreUnavailable' })
    const log = await wholeLog(database)
    const atOnce = await Promise.allSettled(Array.from({ length: 20 }, write))
    assert.ok(atOnce.every((one) => one.status === 'rejected' && one.reason.name === 'StoreUnavailable'))
    assert.deepEqual(await wholeLog(database), log)
    await assertViewEqualsLog(database)

    disk.makeRoom()
    await database.checkWritable()
    assert.deepEqual(await write(), { type: 'appended', version: 1, position: log.length + 1 })
    await assertViewEqualsLog(database)
  })

  it('that turns read-only refuses appends as unavailable, and still reads', async () => {
    const log = await wholeLog(database)
    disk.failToReadOnly()
    await assert.rejects(write(), { name: 'StoreUnavailable' })
    await assert.rejects(database.checkWritable(), { name: 'StoreUnavailable' })
    assert.deepEqual(await wholeLog(database), log)
    await assertViewEqualsLog(database)
  })
})
