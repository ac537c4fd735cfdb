import { join } from 'node:path'
import { PART_NAMES, type PartName, viewsOf } from '../../cli/admin/parts.ts'
import { verify } from '../../cli/admin/verify/verify.ts'
import { contractsView } from '../../services/contracts/contract/view.ts'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import type { Position } from '../../shared/event-sourcing/event.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { readAhead } from '../../shared/event-sourcing/read-ahead.ts'
import { dropDatabase, newDatabaseName } from '../../tests/support/mongo-database.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { fillWithContracts } from '../fill.ts'
import { median } from '../measure/rounds.ts'
import type { Check, Row, SectionResult } from '../result.ts'
import type { Bench } from '../section.ts'
import { compareAlone, type EngineAlone, mongoAlone, rowsForSqlite, sqliteAlone, writeRowsAlone } from './log-alone.ts'

const EVENTS = { SQLite: 100_000, MongoDB: 30_000 }
const ROUNDS = 3
/** On a busy machine, no further round begins after this many milliseconds. */
const ENOUGH_MILLISECONDS = 40_000
/** Read from the log at a time. */
const BATCH = 1_000

/** What goes through the whole log: folding it, verifying it, and building a view with its search index anew. */
export async function measureLog({ engines, onEnd }: Bench): Promise<SectionResult> {
  const folder = temporaryFolder()
  onEnd({ stop: async () => folder.remove() })
  const sqlite = await openAll((part) =>
    openSqliteDatabase({ file: join(folder.path, `${part}.db`), views: viewsOf[part] }),
  )
  const { contracts } = sqlite
  const write: Work = {
    what: 'the same rows and their indexes written, nothing else',
    prepare: async () => {
      const rows = await rowsForSqlite(contracts, EVENTS.SQLite)
      return () => writeRowsAlone(rows)
    },
  }
  const file = join(folder.path, 'contracts.db')
  const measured = await measureOn('SQLite', sqlite, [
    ...readAndVerify(sqlite, sqliteAlone(file), EVENTS.SQLite, { fold: 400_000, verify: 120_000 }),
    work('each event held against its row, nothing else', () => compareAlone(file)),
    write,
    rebuild(contracts, 30_000),
  ])
  if (!engines) return result(measured, [BOUNDS, 'MongoDB is left out: MONGO_URL and KAFKA_BROKERS are not both set.'])
  const name = newDatabaseName()
  const nameOf = (part: PartName): string => `${name}_${part}`
  for (const part of PART_NAMES) onEnd({ stop: () => dropDatabase(engines.mongoUrl, nameOf(part)) })
  const mongo = await openAll((part) =>
    openMongoDatabase({ url: engines.mongoUrl, name: nameOf(part), views: viewsOf[part] }),
  )
  const onMongo = await measureOn('MongoDB', mongo, [
    ...readAndVerify(mongo, mongoAlone(engines.mongoUrl, nameOf('contracts')), EVENTS.MongoDB, {
      fold: 60_000,
      verify: 40_000,
    }),
    rebuild(mongo.contracts, 33_000),
  ])
  return result([...measured, ...onMongo], [BOUNDS])
}

const BOUNDS =
  'Where nothing else is done, only prepared statements or the driver are at work. Folding can’t be faster than keeping what the log says; verifying not than one loop over events and rows that lie in the same order, as a real log’s don’t (SQLite), or than folding the log and reading the rows one after the other (MongoDB); rebuilding not than writing the rows (SQLite).'

type Databases = Readonly<Record<PartName, Database>>
type Measured = Row & { readonly atLeast?: number }

async function openAll(open: (part: PartName) => Promise<Database>): Promise<Databases> {
  const opened = await Promise.all(PART_NAMES.map(async (part) => [part, await open(part)] as const))
  return Object.fromEntries(opened) as unknown as Databases
}

/** Something that goes through all events, or through as many rows. */
interface Work {
  readonly what: string
  /** Answers what is to be timed. */
  prepare(): Promise<() => Promise<unknown>>
  /** Events a second. */
  readonly atLeast?: number
}

const work = (what: string, run: () => Promise<unknown>, atLeast?: number): Work => ({
  what,
  prepare: async () => run,
  ...(atLeast !== undefined && { atLeast }),
})

function readAndVerify(
  databases: Databases,
  alone: EngineAlone,
  count: number,
  targets: { readonly fold: number; readonly verify: number },
): Work[] {
  return [
    work('the log read, decoded and kept by contract, nothing else', alone.keepLog),
    work('fold of the whole log', () => foldAll(databases.contracts, count), targets.fold),
    ...(alone.readRows ? [work('the rows of the view read, nothing else', alone.readRows)] : []),
    work('`mint verify`', () => verifyAll(databases, count), targets.verify),
  ]
}

const rebuild = (contracts: Database, atLeast: number): Work => ({
  what: 'rebuild of the view with its search index',
  prepare: async () => () => contracts.view(contractsView).rebuild(),
  atLeast,
})

async function measureOn(
  engine: keyof typeof EVENTS,
  databases: Databases,
  works: readonly Work[],
): Promise<Measured[]> {
  try {
    await fillWithContracts(databases.contracts, EVENTS[engine])
    const rates = works.map((): number[] => [])
    const begun = performance.now()
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0 && performance.now() - begun > ENOUGH_MILLISECONDS) break
      for (const [index, { prepare }] of works.entries()) {
        rates[index]?.push(await eventsPerSecond(EVENTS[engine], await prepare()))
      }
    }
    return works.map(({ what, atLeast }, index) => row(`${what}, ${engine}`, rates[index] ?? [], atLeast))
  } finally {
    await Promise.all(Object.values(databases).map((database) => database.close()))
  }
}

async function verifyAll(databases: Databases, count: number): Promise<void> {
  for await (const item of verify(databases, {}, () => undefined)) {
    if (item.type !== 'summary') continue
    const { events, differences } = item
    if (events !== count || differences > 0)
      throw new Error(`verify found ${differences} differences in ${events} events`)
  }
}

async function eventsPerSecond(count: number, run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await run()
  return count / ((performance.now() - begun) / 1000)
}

/** Folds every contract's state out of the log, in memory. */
async function foldAll({ events }: Database, count: number): Promise<void> {
  const states = new Map<string, ReturnType<typeof contractsView.fold>>()
  const readAfter = (position: Position) => events.readAll(position, BATCH)
  for await (const batch of readAhead({ readAfter, positionOf: ({ position }) => position })) {
    for (const event of batch) {
      if (event.stream.category !== contractsView.category) continue
      states.set(event.stream.id, contractsView.fold(states.get(event.stream.id), event))
    }
  }
  if (states.size !== count) throw new Error(`the log came to ${states.size} contracts`)
}

const row = (what: string, values: readonly number[], atLeast?: number): Measured => ({
  what,
  value: median(values),
  unit: 'events/s',
  spread: [Math.min(...values), Math.max(...values)],
  ...(atLeast !== undefined && { atLeast }),
})

function result(measured: readonly Measured[], notes: readonly string[]): SectionResult {
  const checks: Check[] = measured.flatMap(({ what, value, unit, atLeast }) =>
    atLeast === undefined ? [] : [{ what, value, unit, atLeast }],
  )
  return { title: 'Whole log: 100,000 contracts on SQLite, 30,000 on MongoDB', rows: measured, checks, notes }
}
