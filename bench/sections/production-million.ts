import { contractsView } from '../../services/contracts/contract/view.ts'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import type { ListQuery } from '../../shared/event-sourcing/ports/view.ts'
import { dropDatabase, newDatabaseName } from '../../tests/support/mongo-database.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { fillWithContracts } from '../fill.ts'
import { median } from '../measure/rounds.ts'
import { type Check, type Row, type SectionResult, timesRow } from '../result.ts'
import { type Bench, enginesOf } from '../section.ts'

const COUNT = 1_000_000
/** How often each query is sent, one at a time. */
const TIMES = 21

/** Lists, and their targets in milliseconds. Their views are those of the section `million`, which has more of them. */
const QUESTIONS: readonly (readonly [what: string, query: Partial<ListQuery>, atMost: number])[] = [
  ['page of 50 and total', {}, 20],
  ['page of 50, offset in the middle', { offset: COUNT / 2 }, 20],
  ['page and total of a search that finds 500', { search: 'rare' }, 50],
  ['page and total of a search that finds 250,000', { search: 'payroll' }, 400],
  ['page and total of a search by 2 characters', { search: 'ay' }, 1500],
  ['page and total of a search by 1 character', { search: 'a' }, 1500],
]

/** Views of a million contracts, built from MongoDB's log, and lists that wait for its latest events. */
export async function measureProductionMillion(bench: Bench): Promise<SectionResult> {
  const { mongoUrl: url } = enginesOf(bench)
  const name = newDatabaseName()
  bench.onEnd({ stop: () => dropDatabase(url, name) })
  const folder = temporaryFolder()
  bench.onEnd({ stop: async () => folder.remove() })
  const filled = await openMongoDatabase({ url, name, views: [], viewsFolder: folder.path })
  await fillWithContracts(filled, COUNT).finally(() => filled.close())
  const begun = performance.now()
  const database = await openMongoDatabase({
    url,
    name,
    views: [contractsView],
    viewsFolder: folder.path,
    buildsViews: 'at-start',
  })
  bench.onEnd({ stop: () => database.close() })
  const perSecond = COUNT / ((performance.now() - begun) / 1000)
  const view = database.view(contractsView)
  const rows: Row[] = [{ what: 'building the views', value: perSecond, unit: 'records/s' }]
  const checks: Check[] = []
  const measure = async (what: string, ask: () => Promise<unknown>, atMost: number): Promise<void> => {
    const times = await timesOf(ask)
    rows.push(timesRow(what, times))
    checks.push({ what, value: median(times), unit: 'ms', atMost })
  }
  await measure('get by id', () => view.get(`${1 + Math.floor(Math.random() * COUNT)}`), 20)
  for (const [what, query, atMost] of QUESTIONS) {
    await measure(what, () => view.list({ where: {}, search: '', limit: 50, offset: 0, ...query }), atMost)
  }
  return { title: 'A million contracts on MongoDB, one question at a time', rows, checks }
}

async function timesOf(ask: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let time = 0; time < TIMES; time++) {
    const begun = performance.now()
    await ask()
    times.push(performance.now() - begun)
  }
  return times
}
