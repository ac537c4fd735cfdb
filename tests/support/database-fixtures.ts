import { join } from 'node:path'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import { atEnd } from './cleanup.ts'
import { describeOn, type Engine, mongoEngine } from './engines.ts'
import { temporaryDatabase } from './mongo-database.ts'
import { newFolder } from './temporary-folder.ts'

type Views = readonly AnyViewDefinition[]
type Open = (views: Views) => Promise<Database>

interface DatabaseFixture {
  readonly name: string
  readonly engine: Engine
  /** Whether several processes may have it open. */
  readonly isShared: boolean
  /** How to open a new, empty database, which is removed after the running test. */
  prepare(url: string): Open
}

/** The adapters that every suite for a database port runs on. */
const databaseFixtures: readonly DatabaseFixture[] = [
  {
    name: 'SQLite',
    engine: { url: '' },
    isShared: false,
    prepare() {
      const file = join(newFolder(), 'test.db')
      return (views) => openSqliteDatabase({ file, views })
    },
  },
  {
    name: 'MongoDB',
    engine: mongoEngine(),
    isShared: true,
    prepare(url) {
      const options = { url, name: temporaryDatabase(url), viewsFolder: newFolder(), buildsViews: 'at-start' } as const
      return (views) => openMongoDatabase({ ...options, views })
    },
  },
]

/** Registers a port's suite for every adapter; `open` returns a new, empty database that is removed after the test. */
export function describeOnDatabases(port: string, suite: (open: (views: Views) => Promise<DatabaseUnderTest>) => void) {
  for (const { name, engine, isShared, prepare } of databaseFixtures) {
    describeOn(engine, `${port}, ${name}`, (url) => suite((views) => reopenable(prepare(url), isShared, views)))
  }
}

/** A database for the running test. */
export type DatabaseUnderTest = Awaited<ReturnType<typeof reopenable>>

async function reopenable(open: Open, isShared: boolean, views: Views) {
  let database = await open(views)
  atEnd(() => database.close())
  return {
    /** The currently open database. */
    get database() {
      return database
    },
    /** Closes it and opens it again, with these views. */
    async reopen(next: Views): Promise<Database> {
      await database.close()
      database = await open(next)
      return database
    },
    /** The database as another process opens it; on SQLite, which only one process opens, the same one. */
    beside: async (): Promise<Database> => (isShared ? atEnd.close(await open(views)) : database),
  }
}
