import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PART_NAMES, type PartName, viewsOf } from '../../cli/admin/parts.ts'
import { type Inspections, verify } from '../../cli/admin/verify/verify.ts'
import { contractsView } from '../../services/contracts/contract/view.ts'
import { connectMongo } from '../../shared/adapters/mongo/connection.ts'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { logOf } from '../../shared/adapters/mongo/log/commit-document.ts'
import { LOG_FIELDS, readCommitsAfter } from '../../shared/adapters/mongo/log/commits-after.ts'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.ts'
import { LOG_EVENT } from '../../shared/adapters/sqlite/log/log-tables.ts'
import { BEGINNING, type Position } from '../../shared/event-sourcing/event.ts'
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
/** On a busy machine no further round is begun after so many milliseconds. */
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
  const read = () => readSqliteAlone(join(folder.path, 'contracts.db'))
  const measured = await measureOn('SQLite', sqlite, read, { fold: 400_000, verify: 120_000, rebuild: 30_000 })
  if (!engines) return result(measured, ['MongoDB is left out: MONGO_URL and KAFKA_BROKERS are not both set.'])
  const name = newDatabaseName()
  const nameOf = (part: PartName): string => `${name}_${part}`
  for (const part of PART_NAMES) onEnd({ stop: () => dropDatabase(engines.mongoUrl, nameOf(part)) })
  const mongo = await openAll((part) =>
    openMongoDatabase({ url: engines.mongoUrl, name: nameOf(part), views: viewsOf[part] }),
  )
  const readMongo = () => readMongoAlone(engines.mongoUrl, nameOf('contracts'))
  const onMongo = await measureOn('MongoDB', mongo, readMongo, { fold: 60_000, verify: 40_000, rebuild: 15_000 })
  return result([...measured, ...onMongo], [])
}

type Databases = Readonly<Record<PartName, Database>>
type Measured = Row & { readonly atLeast?: number }

async function openAll(open: (part: PartName) => Promise<Database>): Promise<Databases> {
  const opened = await Promise.all(PART_NAMES.map(async (part) => [part, await open(part)] as const))
  return Object.fromEntries(opened) as unknown as Databases
}

async function measureOn(
  engine: keyof typeof EVENTS,
  databases: Databases,
  readAlone: () => Promise<void>,
  targets: { readonly fold: number; readonly verify: number; readonly rebuild: number },
): Promise<Measured[]> {
  const { contracts, businesses, gateway } = databases
  try {
    const count = EVENTS[engine]
    await fillWithContracts(contracts, count)
    const inspections = {
      contracts: contracts.inspection,
      businesses: businesses.inspection,
      gateway: gateway.inspection,
    }
    const rates = { read: [] as number[], fold: [] as number[], verify: [] as number[], rebuild: [] as number[] }
    const begun = performance.now()
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0 && performance.now() - begun > ENOUGH_MILLISECONDS) break
      rates.read.push(await eventsPerSecond(count, readAlone))
      rates.fold.push(await eventsPerSecond(count, () => foldAll(contracts, count)))
      rates.verify.push(await eventsPerSecond(count, () => verifyAll(inspections, count)))
      rates.rebuild.push(await eventsPerSecond(count, () => contracts.view(contractsView).rebuild()))
    }
    return [
      row(`the log read and parsed, nothing else, ${engine}`, rates.read),
      row(`fold of the whole log, ${engine}`, rates.fold, targets.fold),
      row(`\`mint verify\`, ${engine}`, rates.verify, targets.verify),
      row(`rebuild of a view with its search index, ${engine}`, rates.rebuild, targets.rebuild),
    ]
  } finally {
    await Promise.all(Object.values(databases).map((database) => database.close()))
  }
}

async function verifyAll(inspections: Inspections, count: number): Promise<void> {
  for await (const message of verify(inspections)) {
    if (message.type === 'progress' || message.item.type !== 'summary') continue
    const { events, differences } = message.item
    if (events !== count || differences > 0)
      throw new Error(`verify found ${differences} differences in ${events} events`)
  }
}

async function eventsPerSecond(count: number, work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
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

/** What going through the log costs at the least: its columns read, the data parsed. */
async function readSqliteAlone(file: string): Promise<void> {
  const connection = new DatabaseSync(file, { readOnly: true })
  const statement = connection.prepare(`SELECT ${LOG_EVENT} FROM events WHERE position > ? ORDER BY position LIMIT ?`)
  statement.setReturnArrays(true)
  for (let position = 0; ; ) {
    const found = statement.all(position, BATCH) as unknown as [number, string, string, number, string, string][]
    for (const [at, , , , , data] of found) {
      JSON.parse(data)
      position = at
    }
    if (found.length < BATCH) break
  }
  connection.close()
}

/** The same of MongoDB: the driver decodes the answers. */
async function readMongoAlone(url: string, name: string): Promise<void> {
  const connection = await connectMongo(url, name)
  for (let after = BEGINNING; ; ) {
    const found = await readCommitsAfter(logOf(connection.db), { after, limit: BATCH, fields: LOG_FIELDS })
    if (found.length === 0) break
    after = found.at(-1)?._id as Position
  }
  await connection.close()
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
