import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { createDocuments } from '../../../shared/adapters/mongo/documents.ts'
import { createLeasedCheckpoints } from '../../../shared/adapters/mongo/leased-checkpoints.ts'
import { createLogIndexes, logOf } from '../../../shared/adapters/mongo/log/commit-document.ts'
import { createInspection } from '../../../shared/adapters/mongo/log/inspection.ts'
import { createLogReader } from '../../../shared/adapters/mongo/log/log-reader.ts'
import { BEGINNING } from '../../../shared/event-sourcing/event.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { temporaryDatabase } from '../../support/mongo-database.ts'

const LONG_TTL = 60_000

describeOn(mongoEngine(), 'On MongoDB', (url) => {
  function open() {
    const client = atEnd.close(new MongoClient(url, { monitorCommands: true }))
    return { client, db: client.db(temporaryDatabase(url)) }
  }

  it('a lease is requested with one command, whether it is new, free or held', async () => {
    const { client, db } = open()
    const checkpoints = createLeasedCheckpoints(db)
    const commands: string[] = []
    client.on('commandStarted', ({ commandName }) => commands.push(commandName))
    const lease = await checkpoints.acquire('relay', 'one', LONG_TTL)
    assert.equal(await checkpoints.acquire('relay', 'two', LONG_TTL), undefined)
    await lease?.release()
    assert.ok(await checkpoints.acquire('relay', 'two', LONG_TTL))
    assert.deepEqual(commands, ['findAndModify', 'findAndModify', 'update', 'findAndModify'])
  })

  it('a lease of a process that died before the clock was set back is free again soon, and that of another is kept', async () => {
    const { db } = open()
    const checkpoints = createLeasedCheckpoints(db)
    const setBackADay = async () => {
      const later = { $add: ['$expiresAt', 24 * 60 * 60 * 1000] }
      await db.collection('leased_checkpoints').updateMany({}, [{ $set: { expiresAt: later } }])
    }
    const lease = await checkpoints.acquire('relay', 'one', LONG_TTL)
    await setBackADay()
    assert.equal(await checkpoints.acquire('relay', 'two', LONG_TTL), undefined)
    assert.equal(await lease?.renew(), true)
    await setBackADay()
    assert.equal(await checkpoints.acquire('relay', 'two', LONG_TTL), undefined)
    const [{ expiresAt } = { expiresAt: undefined }] = await db.collection('leased_checkpoints').find().toArray()
    assert.ok(expiresAt <= Date.now() + LONG_TTL, `it expires at ${expiresAt}`)
  })

  it('documents are neither written nor removed once a lease has expired, however late the request arrives', async () => {
    const { db } = open()
    const documents = createDocuments(db, 'webhooks')
    const stored = async () => Object.fromEntries(await documents.list(''))
    await documents.write([['a', 'one']])
    const lease = await createLeasedCheckpoints(db).acquire('webhooks', 'one', 1_000)
    assert.ok(lease)
    const changes = [
      ['$b', '$$NOW'],
      ['c', 'c'],
    ] as const
    await documents.write(changes, lease)
    await delay(1_200)
    await documents.write([['a', undefined]], lease)
    for (const key of ['c', 'd']) await assert.rejects(documents.write([[key, 'late']], lease))
    assert.deepEqual(await stored(), { a: 'one', ...Object.fromEntries(changes) })
    assert.equal(await lease.renew(), true)
    await documents.write([['a', undefined]], lease)
    await documents.write([['d', 'in time']], lease)
    assert.deepEqual(await stored(), { ...Object.fromEntries(changes), d: 'in time' })
  })

  it('an inspection reads the log only behind the barrier', async () => {
    const { db } = open()
    await createLogIndexes(db)
    let barred = 0
    const notYet = async (): Promise<never> => {
      barred += 1
      throw new Error('the new primary is not ready')
    }
    const inspection = createInspection(logOf(db), {
      reader: createLogReader(logOf(db)),
      barrier: { read: notYet, confirmed: notYet },
      views: { inspect: () => assert.fail('no rows were asked for') },
    })
    await assert.rejects(inspection.head(), /not ready/)
    await assert.rejects(inspection.readCommits(BEGINNING, 1), /not ready/)
    await assert.rejects(inspection.lastNumber('job'), /not ready/)
    assert.equal(barred, 3)
  })
})
