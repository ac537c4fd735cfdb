import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/main-thread/database.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { cleanup } from '../../support/cleanup.ts'
import { append, appendAll, assertViewEqualsLog, created, jobs, NOON, wholeLog } from '../../support/jobs.ts'
import { type SmallDisk, smallDisk } from '../../support/small-disk.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { commitIds } from '../../support/whole-log.ts'

const appendingProcess = fileURLToPath(new URL('../../support/appending-process.ts', import.meta.url))

describe('SQLite durability', () => {
  const atEnd = cleanup()
  let file: string
  beforeEach(() => {
    const folder = temporaryFolder()
    atEnd(() => folder.remove())
    file = join(folder.path, 'test.db')
  })

  async function open(at = file): Promise<Database> {
    const database = await openSqliteDatabase({ file: at, views: [jobs] })
    atEnd(() => database.close())
    return database
  }

  it('keeps every acknowledged append once, and its number, through kill -9', async () => {
    const acknowledged = new Set<string>()
    for (let round = 1; round <= 3; round++) {
      const child = fork(appendingProcess, [file])
      atEnd(() => child.kill('SIGKILL'))
      child.on('message', (ids: string[]) => {
        for (const id of ids) acknowledged.add(id)
      })
      await waitFor(() => acknowledged.size > round * 300, { timeout: 10_000, what: 'appends to be acknowledged' })
      child.kill('SIGKILL')
      await once(child, 'close')

      const database = await open()
      const log = await wholeLog(database)
      const ids = new Set(await commitIds(database))
      assert.equal(ids.size, log.length, 'each commit once')
      assert.deepEqual(
        [...acknowledged].filter((id) => !ids.has(id)),
        [],
      )
      assert.deepEqual(
        log.map(({ position }) => position),
        log.map((_, index) => index + 1),
      )
      await assertViewEqualsLog(database)
      const highest = Math.max(...log.map(({ stream }) => Number(stream.id)))
      assert.ok((await database.sequence('job').next()) > highest)
      await database.close()
    }
  }).timeout(60_000)

  it('moves the checkpoint of a rebuilt view with the swap, not after it', async () => {
    const database = await open()
    await append(database, created('8001'))
    await database.view(jobs).rebuild()
    assert.equal(await database.view(jobs).checkpoint(), await database.events.head())
  })

  it('takes appends that come at the same time together in few transactions, and single ones at once', async () => {
    const database = await open()
    const counts: number[] = []
    for (let round = 0; round < 3; round++) {
      const before = transactionsIn(file)
      const ids = Array.from({ length: 1000 }, (_, index) => String(round * 1000 + index + 1))
      await appendAll(
        database,
        ids.map((id) => created(id)),
      )
      counts.push(transactionsIn(file) - before)
    }
    // A thread that has to wait for its turn needs some more now and then, 6 on a busy machine; with a transaction for each
    // 16 that are handed to the writer thread at a time it would be 63, always.
    const [least = Number.NaN, median = Number.NaN] = counts.toSorted((a, b) => a - b)
    assert.ok(least <= 4 && median <= 10, `1,000 appends in ${counts} transactions`)
    const before = transactionsIn(file)
    for (let id = 4001; id <= 4020; id++) await append(database, created(String(id)))
    assert.equal(transactionsIn(file) - before, 20)
  })
})

describe('SQLite on a disk', () => {
  let disk: SmallDisk
  let database: Database
  let number = 0
  before(async function () {
    const made = smallDisk(12)
    if (made === undefined) {
      console.log('    (left out: this machine or this user cannot mount a file system)')
      return this.skip()
    }
    disk = made
    database = await openSqliteDatabase({ file: join(disk.path, 'test.db'), views: [jobs] })
  })
  after(async () => {
    await database?.close()
    disk?.remove()
  })
  const write = () => database.events.append(created(String(++number), { at: NOON, title: 'x'.repeat(20_000) }))

  it('that is full refuses appends as unavailable, writes nothing, reads on, and goes on when there is room', async () => {
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

  it('that turns read-only refuses appends as unavailable and reads on', async () => {
    const log = await wholeLog(database)
    disk.failToReadOnly()
    await assert.rejects(write(), { name: 'StoreUnavailable' })
    await assert.rejects(database.checkWritable(), { name: 'StoreUnavailable' })
    assert.deepEqual(await wholeLog(database), log)
    await assertViewEqualsLog(database)
  })
})

/** How many transactions the write-ahead log holds: https://sqlite.org/fileformat2.html#the_write_ahead_log */
function transactionsIn(file: string): number {
  const log = readFileSync(`${file}-wal`)
  const frame = 24 + log.readUInt32BE(8)
  let transactions = 0
  for (let at = 32; at + frame <= log.length; at += frame) {
    const isOfThisRun = log.readBigUInt64BE(at + 8) === log.readBigUInt64BE(16)
    // The last frame of a transaction tells the size of the database after it, the others 0.
    if (isOfThisRun && log.readUInt32BE(at + 4) > 0) transactions += 1
  }
  return transactions
}
