import { join } from 'node:path'
import { contractsView } from '../../services/contracts/contract/view.ts'
import { contractsViews } from '../../services/contracts/service.ts'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.ts'
import type { Database } from '../../shared/event-sourcing/database.ts'
import { BEGINNING, type Position } from '../../shared/event-sourcing/event.ts'
import { dropDatabase, newDatabaseName } from '../../tests/support/mongo-database.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { fillWithContracts } from '../fill.ts'
import { median } from '../measure/rounds.ts'
import type { Check, Row, SectionResult } from '../result.ts'
import type { Bench } from '../section.ts'

const EVENTS = { SQLite: 100_000, MongoDB: 30_000 }
const ROUNDS = 3
/** Read from the log at a time. */
const BATCH = 1_000

/** What goes through the whole log: folding it, and building a view with its search index anew. */
export async function measureLog({ engines, onEnd }: Bench): Promise<SectionResult> {
  const folder = temporaryFolder()
  onEnd({ stop: async () => folder.remove() })
  const sqlite = await openSqliteDatabase({ file: join(folder.path, 'contracts.db'), views: contractsViews })
  const measured = await measureOn('SQLite', sqlite, { fold: 400_000, rebuild: 30_000 })
  if (!engines) return result(measured, ['MongoDB is left out: MONGO_URL and KAFKA_BROKERS are not both set.'])
  const name = newDatabaseName()
  onEnd({ stop: () => dropDatabase(engines.mongoUrl, name) })
  const mongo = await openMongoDatabase({ url: engines.mongoUrl, name, views: contractsViews })
  return result([...measured, ...(await measureOn('MongoDB', mongo, { fold: 60_000, rebuild: 15_000 }))], [])
}

type Measured = Row & { readonly atLeast: number }

async function measureOn(
  engine: keyof typeof EVENTS,
  database: Database,
  targets: { readonly fold: number; readonly rebuild: number },
): Promise<Measured[]> {
  try {
    const count = EVENTS[engine]
    await fillWithContracts(database, count)
    const folds: number[] = []
    const rebuilds: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      folds.push(await eventsPerSecond(count, () => foldAll(database, count)))
      rebuilds.push(await eventsPerSecond(count, () => database.view(contractsView).rebuild()))
    }
    return [
      row(`fold of the whole log, ${engine}`, folds, targets.fold),
      row(`rebuild of a view with its search index, ${engine}`, rebuilds, targets.rebuild),
    ]
  } finally {
    await database.close()
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
  for (let after: Position = BEGINNING; ; ) {
    const batch = await events.readAll(after, BATCH)
    for (const event of batch) {
      if (event.stream.category !== contractsView.category) continue
      states.set(event.stream.id, contractsView.fold(states.get(event.stream.id), event))
    }
    const last = batch.at(-1)
    if (!last) break
    after = last.position
  }
  if (states.size !== count) throw new Error(`the log came to ${states.size} contracts`)
}

const row = (what: string, values: readonly number[], atLeast: number): Measured => ({
  what,
  value: median(values),
  unit: 'events/s',
  spread: [Math.min(...values), Math.max(...values)],
  atLeast,
})

function result(measured: readonly Measured[], notes: readonly string[]): SectionResult {
  const checks: Check[] = measured.map(({ what, value, unit, atLeast }) => ({ what, value, unit, atLeast }))
  return { title: 'Whole log: 100,000 contracts on SQLite, 30,000 on MongoDB', rows: measured, checks, notes }
}
