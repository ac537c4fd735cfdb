import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { ListQuery } from '../../shared/event-sourcing/ports/view.ts'
import { created, jobs, query } from '../../tests/support/jobs.ts'
import { clientOf, fillMongoWithJobs } from '../../tests/support/many-mongo-jobs.ts'
import { dropDatabase, newDatabaseName } from '../../tests/support/mongo-database.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { median } from '../measure/rounds.ts'
import { type Check, type Row, type SectionResult, timesRow } from '../result.ts'
import { type Bench, enginesOf } from '../section.ts'

const COUNT = 1_000_000
/** How often each query is sent, one at a time. */
const TIMES = 21

interface Question {
  readonly what: string
  ask(database: Database): Promise<unknown>
  /** Milliseconds. */
  readonly atMost: number
}

const list = (database: Database, changes: Partial<ListQuery>) => database.view(jobs).list(query(changes))
const search = (text: string, matches: string, atMost: number): Question => ({
  what: `page and total of a search that finds ${matches}`,
  ask: (database) => list(database, { search: text }),
  atMost,
})

const QUESTIONS: readonly Question[] = [
  { what: 'get by id', ask: (database) => database.view(jobs).get(anyId()), atMost: 20 },
  { what: 'page of 50 and total', ask: (database) => list(database, {}), atMost: 20 },
  { what: 'page of 50, offset in the middle', ask: (database) => list(database, { offset: COUNT / 2 }), atMost: 20 },
  { what: 'page of 50 at the end', ask: (database) => list(database, { offset: COUNT - 50 }), atMost: 20 },
  { what: 'page of one client', ask: (database) => list(database, { where: { client: clientOf(77) } }), atMost: 20 },
  search('RARE', '10,000', 50),
  search('500 rare', '1,000', 50),
  search('payroll', '100,000', 400),
  search('nowhere', 'nothing', 50),
  search('ay', '100,000 by 2 characters', 1500),
  search('a', '700,000 by 1 character', 1500),
  search('q', 'nothing by 1 character', 1500),
]

/** Times of lists and searches on MongoDB with a million records, on the adapter itself. */
export async function measureProductionMillion(bench: Bench): Promise<SectionResult> {
  const { mongoUrl: url } = enginesOf(bench)
  const name = newDatabaseName()
  bench.onEnd({ stop: () => dropDatabase(url, name) })
  const folder = temporaryFolder()
  bench.onEnd({ stop: async () => folder.remove() })
  await fillMongoWithJobs(url, name, COUNT)
  const begun = performance.now()
  const database = await openMongoDatabase({
    url,
    name,
    views: [jobs],
    viewsFolder: folder.path,
    buildsViews: 'at-start',
  })
  bench.onEnd({ stop: () => database.close() })
  const rows: Row[] = [
    { what: 'building the views', value: COUNT / ((performance.now() - begun) / 1000), unit: 'records/s' },
    await newRecordFound(database),
  ]
  const checks: Check[] = []
  for (const { what, ask, atMost } of QUESTIONS) {
    const times = await timesOf(() => ask(database))
    rows.push(timesRow(what, times))
    checks.push({ what, value: median(times), unit: 'ms', atMost })
  }
  return { title: 'A million records on MongoDB, one question at a time', rows, checks }
}

const anyId = (): string => `${1 + Math.floor(Math.random() * COUNT)}`

async function timesOf(ask: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let time = 0; time < TIMES; time++) {
    const begun = performance.now()
    await ask()
    times.push(performance.now() - begun)
  }
  return times
}

/** The time of a search that must find a record created just before. */
async function newRecordFound(database: Database): Promise<Row> {
  await database.events.append(created(`${COUNT + 1}`, { at: Date.now(), title: 'Brand new' }))
  const begun = performance.now()
  const { total } = await list(database, { search: 'brand new' })
  if (total !== 1) throw new Error(`a new record was found ${total} times`)
  return { what: 'search for a record made just before', value: performance.now() - begun, unit: 'ms' }
}
