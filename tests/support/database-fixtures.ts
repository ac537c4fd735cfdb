import { join } from 'node:path'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import { describeOn, type Engine, mongoEngine } from './engines.ts'
import { dropDatabase, newDatabaseName } from './mongo-database.ts'
import { temporaryFolder } from './temporary-folder.ts'

type Views = readonly AnyViewDefinition[]

/** A database of its own for one test. */
export interface DatabaseUnderTest {
  /** The database as it is open now. */
  readonly database: Database
  /** Closes it and opens it again, with these views. */
  reopen(views: Views): Promise<Database>
  /** Closes it and leaves nothing behind. */
  dispose(): Promise<void>
}

interface DatabaseFixture {
  readonly name: string
  readonly engine: Engine
  open(url: string, views: Views): Promise<DatabaseUnderTest>
}

/** The adapters that every suite of a database port runs on. */
const databaseFixtures: readonly DatabaseFixture[] = [
  { name: 'SQLite', engine: { url: '' }, open: (_, views) => openOnSqlite(views) },
  { name: 'MongoDB', engine: mongoEngine(), open: openOnMongo },
]

/** Registers a port's suite for every adapter; `open` answers a new, empty database, gone after the test. */
export function describeOnDatabases(port: string, suite: (open: (views: Views) => Promise<DatabaseUnderTest>) => void) {
  for (const fixture of databaseFixtures) {
    describeOn(fixture.engine, `${port}, ${fixture.name}`, (url) => {
      const opened: DatabaseUnderTest[] = []
      afterEach(async () => {
        for (const one of opened.splice(0)) await one.dispose()
      })
      suite(async (views) => {
        const one = await fixture.open(url, views)
        opened.push(one)
        return one
      })
    })
  }
}

async function openOnSqlite(views: Views): Promise<DatabaseUnderTest> {
  const folder = temporaryFolder()
  const file = join(folder.path, 'test.db')
  return reopenable(
    (now) => openSqliteDatabase({ file, views: now }),
    views,
    async () => folder.remove(),
  )
}

async function openOnMongo(url: string, views: Views): Promise<DatabaseUnderTest> {
  const name = newDatabaseName()
  const folder = temporaryFolder()
  return reopenable(
    (now) => openMongoDatabase({ url, name, views: now, viewsFolder: folder.path, buildsViews: 'at-start' }),
    views,
    async () => {
      folder.remove()
      await dropDatabase(url, name)
    },
  )
}

async function reopenable(
  open: (views: Views) => Promise<Database>,
  views: Views,
  remove: () => Promise<void>,
): Promise<DatabaseUnderTest> {
  let database = await open(views)
  return {
    get database() {
      return database
    },
    async reopen(next) {
      await database.close()
      database = await open(next)
      return database
    },
    async dispose() {
      await database.close()
      await remove()
    },
  }
}
