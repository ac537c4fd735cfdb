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

const EVENTS = { SQLite: 100_000, MongoDB: 30_000 }
const ROUNDS = 3
/** On a busy machine, no further round begins after this many milliseconds. */
const ENOUGH_MILLISECONDS = 40_000
/** Read from the log at a time. */
const BATCH = 1_000

/** Targets, in events per second. */
interface Targets {
  readonly fold: number
  readonly verify: number
  readonly rebuild: number
}

/** Operations on the whole log: folding it, verifying it, and rebuilding a view with its search index. */
export async function measureLog({ engines, onEnd }: Bench): Promise<SectionResult> {
  const title = 'Whole log: 100,000 contracts on SQLite, 30,000 on MongoDB'
  const folder = temporaryFolder()
  onEnd({ stop: async () => folder.remove() })
  const sqlite = await openAll((part) =>
    openSqliteDatabase({ file: join(folder.path, `${part}.db`), views: viewsOf[part] }),
  )
  const onSqlite = await measureOn('SQLite', sqlite, { fold: 400_000, verify: 120_000, rebuild: 30_000 })
  if (!engines) {
    const notes = ['MongoDB is left out: MONGO_URL and KAFKA_BROKERS are not both set.']
    return { title, rows: onSqlite, checks: onSqlite, notes }
  }
  const name = newDatabaseName()
  const nameOf = (part: PartName): string => `${name}_${part}`
  for (const part of PART_NAMES) onEnd({ stop: () => dropDatabase(engines.mongoUrl, nameOf(part)) })
  const mongo = await openAll((part) =>
    openMongoDatabase({ url: engines.mongoUrl, name: nameOf(part), views: viewsOf[part], viewsFolder: folder.path }),
  )
  const all = [...onSqlite, ...(await measureOn('MongoDB', mongo, { fold: 60_000, verify: 40_000, rebuild: 33_000 }))]
  return { title, rows: all, checks: all }
}

type Databases = Readonly<Record<PartName, Database>>

async function openAll(open: (part: PartName) => Promise<Database>): Promise<Databases> {
  const opened = await Promise.all(PART_NAMES.map(async (part) => [part, await open(part)] as const))
  return Object.fromEntries(opened) as unknown as Databases
}

/** Each is both a row and a check of the report. */
async function measureOn(
  engine: keyof typeof EVENTS,
  databases: Databases,
  targets: Targets,
): Promise<(Row & Check)[]> {
  const { contracts } = databases
  const count = EVENTS[engine]
  const works = [
    { what: 'fold of the whole log', run: () => foldAll(contracts, count), atLeast: targets.fold },
    { what: '`mint verify`', run: () => verifyAll(databases, count), atLeast: targets.verify },
    {
      what: 'rebuild of the view with its search index',
      run: () => contracts.view(contractsView).rebuild(),
      atLeast: targets.rebuild,
    },
  ]
  try {
    await fillWithContracts(contracts, count)
    const rates = works.map((): number[] => [])
    const begun = performance.now()
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0 && performance.now() - begun > ENOUGH_MILLISECONDS) break
      for (const [index, { run }] of works.entries()) rates[index]?.push(await eventsPerSecond(count, run))
    }
    return works.map(({ what, atLeast }, index) => check(`${what}, ${engine}`, rates[index] ?? [], atLeast))
  } finally {
    await Promise.all(Object.values(databases).map((database) => database.close()))
  }
}

const check = (what: string, values: readonly number[], atLeast: number) => ({
  what,
  value: median(values),
  unit: 'events/s',
  spread: [Math.min(...values), Math.max(...values)] as const,
  atLeast,
})

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

/** Folds every contract's state from the log, in memory. */
async function foldAll({ events }: Database, count: number): Promise<void> {
  const states = new Map<string, ReturnType<typeof contractsView.fold>>()
  const readAfter = (position: Position) => events.readAll(position, BATCH)
  for await (const batch of readAhead(readAfter)) {
    for (const event of batch) {
      if (event.stream.category !== contractsView.category) continue
      states.set(event.stream.id, contractsView.fold(states.get(event.stream.id), event))
    }
  }
  if (states.size !== count) throw new Error(`the log came to ${states.size} contracts`)
}
