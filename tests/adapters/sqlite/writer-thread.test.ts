import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.main.ts'
import { writerThread } from '../../../shared/adapters/sqlite/writing/writer-host.main.ts'
import { atEnd } from '../../support/cleanup.ts'
import { append, countTypes, created, jobs, wholeLog } from '../../support/jobs.ts'
import { newFolder } from '../../support/temporary-folder.ts'

describe('A SQLite writer thread', () => {
  const fileIn = (name: string): string => join(newFolder(), name)

  it('is shared by databases that open, write and close independently', async () => {
    const first = await openSqliteDatabase({ file: fileIn('first.db'), views: [jobs] })
    const second = atEnd.close(await openSqliteDatabase({ file: fileIn('second.db'), views: [jobs] }))
    await assert.rejects(openSqliteDatabase({ file: '/dev/null/no.db', views: [jobs] }), Error)
    await append(first, created('1'))
    await first.close()
    await append(second, created('1'))
    await append(second, created('2'))
    assert.equal((await wholeLog(second)).length, 2)
    const again = await openSqliteDatabase({ file: fileIn('third.db'), views: [jobs] })
    await append(again, created('1'))
    await again.close()
  })

  it('that dies reports pending appends as unknown, and every later one is refused', async () => {
    const thread = writerThread()
    // Opened before the database: requests for both that arrive while the thread sleeps run in the order of opening.
    const saboteur = thread.open({ file: fileIn('other.db'), shapes: [] })
    const file = fileIn('test.db')
    const database = await openSqliteDatabase({ file, views: [jobs] })
    await append(database, created('1'))
    const ended = new Promise((resolve) => thread.onEnd(resolve))
    saboteur.postMessage(null)
    const ids = ['2', '3', '4']
    const outcomes = await Promise.all(ids.map((id) => database.events.append(created(id))))
    assert.deepEqual(countTypes(outcomes), { unknown: ids.length })
    await ended
    await assert.rejects(database.events.append(created('5')), /writer thread .*start Mint again/)
    assert.equal((await wholeLog(database))[0]?.stream.id, '1', 'reading goes on')
    await database.close()

    const restarted = atEnd.close(await openSqliteDatabase({ file, views: [jobs] }))
    assert.deepEqual(
      (await wholeLog(restarted)).map(({ stream }) => stream.id),
      ['1'],
    )
    assert.equal((await append(restarted, created('2'))).version, 1)
  })
})
