import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { atEnd } from '../support/cleanup.ts'
import { append, created, jobs, query } from '../support/jobs.ts'
import { newFolder } from '../support/temporary-folder.ts'

describe('The SQLite reader thread', () => {
  it('is replaced when it dies, and lists are answered again', async () => {
    const database = atEnd.close(await openSqliteDatabase({ file: join(newFolder(), 'jobs.db'), views: [jobs] }))
    await append(database, created('1', { title: 'Audit' }))
    const readers: Worker[] = []
    const onWorker = (worker: Worker): void => void (worker.threadName === 'sqlite-reader' && readers.push(worker))
    process.on('worker', onWorker)
    atEnd(() => process.off('worker', onWorker))
    const search = async () => (await database.view(jobs).list(query({ search: 'audit' }))).total
    assert.equal(await search(), 1)

    const [first] = readers
    assert.ok(first)
    // This is how Node reports a thread that runs out of memory: an error, and shortly afterwards its exit.
    first.emit('error', new Error('out of memory'))
    const [total] = await Promise.all([search(), first.terminate()])
    assert.deepEqual([total, readers.length], [1, 2])
  })
})
