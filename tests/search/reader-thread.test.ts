import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import type { ViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import { atEnd } from '../support/cleanup.ts'
import { append, created, type Job, jobs, query } from '../support/jobs.ts'
import { newFolder } from '../support/temporary-folder.ts'

const reported: ViewDefinition<Job> = {
  ...jobs,
  versions: {
    kind: 'ledger',
    texts: { kind: ({ kind }) => kind },
    date: ({ due }) => due,
    amounts: { hours: ({ hours }) => `${hours}` },
    summed: ['hours'],
  },
}

describe('The SQLite reader threads', () => {
  it('are replaced when they die, and read again: one lists, and doesn’t wait for the other, which reports', async () => {
    const database = atEnd.close(await openSqliteDatabase({ file: join(newFolder(), 'jobs.db'), views: [reported] }))
    await append(database, created('1', { title: 'Audit' }))
    const started: { readonly name: string | null; readonly worker: Worker }[] = []
    const onWorker = (worker: Worker): void => void started.push({ name: worker.threadName, worker })
    process.on('worker', onWorker)
    atEnd(() => process.off('worker', onWorker))
    const view = database.view(reported)
    const search = async () => (await view.list(query({ search: 'audit' }))).total
    const asOf = await view.ledger.latest()
    const report = async () =>
      (await view.ledger.sums({ where: {}, groupBy: [], asOf, limit: 1, offset: 0 })).sums.count

    for (const [name, read] of [
      ['sqlite-reader', search],
      ['sqlite-reports', report],
    ] as const) {
      assert.equal(await read(), 1)
      const first = started.at(-1)?.worker
      assert.ok(first)
      const interrupted = assert.rejects(read(), { name: 'StoreUnavailable', message: /died: Error: out of memory$/ })
      // This is how Node reports a thread that runs out of memory: an error, and shortly afterwards its exit.
      first.emit('error', new Error('out of memory'))
      const [found] = await Promise.all([read(), interrupted, first.terminate()])
      const names = started.splice(0).map(({ name }) => name)
      assert.deepEqual([found, names], [1, [name, name]])
    }
  })

  it('report a file that can’t be opened now as unavailable, and read it once it can be', async () => {
    const file = join(newFolder(), 'jobs.db')
    const database = atEnd.close(await openSqliteDatabase({ file, views: [jobs] }))
    await append(database, created('1', { title: 'Audit' }))
    const search = async () => (await database.view(jobs).list(query({ search: 'audit' }))).total
    renameSync(file, `${file}.moved`)
    const unavailable = { name: 'StoreUnavailable', message: "SQLite can't be used now: unable to open database file" }
    await assert.rejects(search(), unavailable)
    renameSync(`${file}.moved`, file)
    assert.equal(await search(), 1)
  })
})
