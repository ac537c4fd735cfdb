import { join } from 'node:path'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import { describeOn, type Engine, mongoEngine } from './engines.ts'
import { dropDatabase, newDatabaseName } from './mongo-database.ts'
import { temporaryFolder } from './temporary-folder.ts'

type Views = readonly AnyViewDefinition[]

/** A database for one test. */
export interface DatabaseUnderTest {
  /** The currently open database. */
  readonly database: Database
  /** Closes it and opens it again, with these views. */
  reopen(views: Views): Promise<Database>
  /** The database as another process opens it; on SQLite, which only one process opens, the same one. */
  beside(): Promise<Database>
  /** Closes it and leaves nothing behind. */
  dispose(): Promise<void>
}

interface DatabaseFixture {
  readonly name: string
  readonly engine: Engine
  open(url: string, views: Views): Promise<DatabaseUnderTest>
}

/** The adapters that every suite for a database port runs on. */
const databaseFixtures: readonly DatabaseFixture[] = [
  { name: 'SQLite', engine: { url: '' }, open: (_, views) => openOnSqlite(views) },
  { name: 'MongoDB', engine: mongoEngine(), open: openOnMongo },
]

/** Registers a port's suite for every adapter; `open` returns a new, empty database that is removed after the test. */
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
  const open = (now: Views) => openSqliteDatabase({ file, views: now })
  return reopenable({ sharing: false, open, remove: async () => folder.remove() }, views)
}

async function openOnMongo(url: string, views: Views): Promise<DatabaseUnderTest> {
  const name = newDatabaseName()
  const folder = temporaryFolder()
  const open = (now: Views) =>
    openMongoDatabase({ url, name, views: now, viewsFolder: folder.path, buildsViews: 'at-start' })
  async function remove(): Promise<void> {
    folder.remove()
    await dropDatabase(url, name)
  }
  return reopenable({ sharing: true, open, remove }, views)
}

interface Opening {
  /** Whether several processes may have it open. */
  readonly sharing: boolean
  open(views: Views): Promise<Database>
  remove(): Promise<void>
}

async function reopenable({ sharing, open, remove }: Opening, views: Views): Promise<DatabaseUnderTest> {
  let database = await open(views)
  const others: Database[] = []
  return {
    get database() {
      return database
    },
    async reopen(next) {
      await database.close()
      database = await open(next)
      return database
    },
    async beside() {
      if (!sharing) return database
      const other = await open(views)
      others.push(other)
      return other
    },
    async dispose() {
      for (const other of others) await other.close()
      await database.close()
      await remove()
    },
  }
}
