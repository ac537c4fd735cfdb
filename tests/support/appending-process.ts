/** A process that appends to a SQLite file until it is killed, and reports which commits were acknowledged. */
import { randomUUID } from 'node:crypto'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { append, created, edited, jobs } from './jobs.ts'

const CALLERS = 32
const database = await openSqliteDatabase({ file: process.argv[2] ?? '', views: [jobs] })
const numbers = database.sequence('job')

async function appendOn(): Promise<never> {
  for (;;) {
    const commit = created(String(await numbers.next()), { at: Date.now(), title: randomUUID() })
    const row = await append(database, commit)
    const change = edited(row, { client: randomUUID() })
    await append(database, change)
    process.send?.([commit.commitId, change.commitId])
  }
}

await Promise.all(Array.from({ length: CALLERS }, appendOn))
