import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { type Db, MongoClient } from 'mongodb'
import type { PrimaryBarrier } from '../../../shared/adapters/mongo/connection/primary-barrier.ts'
import { createDocuments } from '../../../shared/adapters/mongo/documents.ts'
import { createLogIndexes, logOf } from '../../../shared/adapters/mongo/log/commit-document.ts'
import { createEventStore } from '../../../shared/adapters/mongo/log/event-store.ts'
import { createLogEnd, type LogEnd } from '../../../shared/adapters/mongo/log/log-end.ts'
import { createLogReader, type LogReader } from '../../../shared/adapters/mongo/log/log-reader.ts'
import { createBatchWriter } from '../../../shared/adapters/mongo/writing/batch-writer.ts'
import { createGroupCommit, type GroupCommit } from '../../../shared/adapters/mongo/writing/group-commit.ts'
import { createPendingAppend, type PendingAppend } from '../../../shared/adapters/mongo/writing/pending-append.ts'
import { stalledLoops } from '../../../shared/event-sourcing/bounded-rounds.ts'
import { StoreUnavailable } from '../../../shared/event-sourcing/ports/event-store.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { created } from '../../support/jobs.ts'
import { temporaryDatabase } from '../../support/mongo-database.ts'

describeOn(mongoEngine(), 'Writes of documents to MongoDB that are given up', (url) => {
  it('don’t undo later ones', async () => {
    const db = atEnd.close(new MongoClient(url)).db(temporaryDatabase(url))
    const sent = Promise.withResolvers<void>()
    const collection = (...options: Parameters<Db['collection']>) => {
      const own = db.collection(...options)
      const { bulkWrite } = own
      let isFirst = true
      own.bulkWrite = async (...request) => {
        if (isFirst) {
          isFirst = false
          await sent.promise
        }
        return await bulkWrite.apply(own, request)
      }
      return own
    }
    const documents = createDocuments({ collection } as unknown as Db, 'webhooks')
    await assert.rejects(documents.write([['a', 'former']]), StoreUnavailable)
    const later = documents.write([['a', 'later']])
    await delay(100)
    sent.resolve()
    await later
    await delay(100)
    assert.equal(await documents.read('a'), 'later')
  })
})

describeOn(mongoEngine(), 'Appends to MongoDB that are given up', (url) => {
  const noBarrier: PrimaryBarrier = { read: (run) => run(), confirmed: async () => undefined }
  const pause = new Error('the server is paused')

  async function open(): Promise<Db> {
    const db = atEnd.close(new MongoClient(url)).db(temporaryDatabase(url))
    await createLogIndexes(db)
    return db
  }

  /** Writes appends through a group commit whose log end or reader may be wrapped. */
  function writerOf(db: Db, slow: { end?: (end: LogEnd) => LogEnd; reader?: (reader: LogReader) => LogReader }) {
    const plain = createLogReader(logOf(db))
    const reader = slow.reader?.(plain) ?? plain
    const own = createLogEnd(plain, noBarrier)
    const end = slow.end?.(own) ?? own
    const { add, drain } = createGroupCommit({ write: createBatchWriter({ db, reader, end }), end })
    return async (appends: readonly PendingAppend[]): Promise<void> => {
      for (const pending of appends) add(pending)
      await drain()
    }
  }

  const pendingAppends = (...ids: string[]) => ids.map((id) => createPendingAppend(created(id), Date.now() + 4_000))
  const outcomeOf = ({ outcome }: PendingAppend) => outcome.then(({ type }) => type).catch(({ name }) => name)
  const streamsIn = async (db: Db) => (await logOf(db).find().sort({ _id: 1 }).toArray()).map(({ stream }) => stream)

  it('while the end of the log is read are not sent, and leave no gap', async () => {
    const db = await open()
    const batch = pendingAppends('1', '2', '3') as [PendingAppend, PendingAppend, PendingAppend]
    const write = writerOf(db, {
      end: (end) => ({
        ...end,
        async next() {
          const next = await end.next()
          batch[0].giveUp(pause)
          batch[2].giveUp(pause)
          return next
        },
      }),
    })
    const outcomes = Promise.all(batch.map(outcomeOf))
    await write(batch)
    assert.deepEqual(await outcomes, ['StoreUnavailable', 'written', 'StoreUnavailable'])
    assert.deepEqual(await streamsIn(db), ['job/2'])
    const [later] = pendingAppends('4') as [PendingAppend]
    await write([later])
    const [first, second] = await logOf(db).find().sort({ _id: 1 }).toArray()
    assert.deepEqual([first?._id, second?._id], [1, 2])
  })

  it('while the log is searched for them after a failure are not sent again', async () => {
    const db = await open()
    const [sent] = pendingAppends('1') as [PendingAppend]
    // An attempt without an answer.
    sent.sending()
    const write = writerOf(db, {
      reader: (reader) => ({
        ...reader,
        async findCommits(ids) {
          const found = await reader.findCommits(ids)
          sent.giveUp(pause)
          return found
        },
      }),
    })
    const outcome = outcomeOf(sent)
    await write([sent])
    assert.equal(await outcome, 'unknown')
    assert.deepEqual(await streamsIn(db), [])
  })

  it('fail if their position stays taken while the end of the log does not move', async () => {
    const db = await open()
    const [first, second] = pendingAppends('1', '2') as [PendingAppend, PendingAppend]
    await writerOf(db, {})([first])
    const stalled: unknown[] = []
    const watch = (message: unknown) => void stalled.push(message)
    stalledLoops.subscribe(watch)
    atEnd(() => void stalledLoops.unsubscribe(watch))
    const write = writerOf(db, { end: (end) => ({ ...end, next: async () => 1 }) })
    // One version after the other: each is in a batch of its own, and bounded for itself.
    const [third] = pendingAppends('2') as [PendingAppend]
    const outcomes = Promise.all([second, third].map(outcomeOf))
    await write([second, third])
    assert.deepEqual(await outcomes, ['StoreUnavailable', 'StoreUnavailable'])
    const stall = { loop: 'batch writer', stuckAt: 'position 1' }
    assert.deepEqual(stalled, [stall, stall])
    assert.deepEqual(await streamsIn(db), ['job/1'])
  })

  it('end as unknown on a wrong version if they may have been sent and the log can’t be searched for them', async () => {
    const db = await open()
    const plain = createLogReader(logOf(db))
    const reader = { ...plain, findCommits: () => Promise.reject(new StoreUnavailable('paused')) }
    const doubtful = (sent: boolean): GroupCommit => ({
      add(pending) {
        pending.sending()
        if (!sent) pending.notWritten()
        pending.settle({ type: 'wrong-version' })
      },
      isBusy: () => false,
      drain: async () => undefined,
    })
    const storeWith = (groupCommit: GroupCommit) =>
      createEventStore({
        reader,
        groupCommit,
        end: createLogEnd(plain, noBarrier),
        barrier: noBarrier,
      })
    assert.equal((await storeWith(doubtful(true)).append(created('1'))).type, 'unknown')
    await assert.rejects(storeWith(doubtful(false)).append(created('1')), { name: 'StoreUnavailable' })
  })
})
