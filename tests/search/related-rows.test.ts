import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { type ListQuery, MAX_RELATED, TooManyRelated, type ViewRow } from '../../shared/event-sourcing/ports/view.ts'
import { appendAll, type Job, NOON, query } from '../support/jobs.ts'
import { named, type Person, people, relatedJob, relatedJobs, scanned } from '../support/related-jobs.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

/** Enough related ids and rows that every way to locate rows is used. */
const PEOPLE = 6_000
const JOBS = 40_000
const BATCH_SIZE = 2_000
/** The oldest jobs all belong to fifty people, so a scan from the newest reaches them last. */
const OLDEST = 12_000

const personId = (number: number): string => `p${number}`
const nameOf = (number: number): string => (number < 50 ? `Early ${number}` : `Later ${number}`)

function jobOf(number: number): Omit<Job, 'createdAt'> {
  const client = number <= OLDEST ? personId(number % 50) : personId(50 + (number % (PEOPLE + 50)))
  const title = `Job ${number}${number % 1_000 === 0 ? ' rare' : ''}`
  return { client, kind: number % 3 === 0 ? 'tax' : 'audit', title, due: `2026-0${1 + (number % 9)}-01`, hours: 1 }
}

describe('SQLite lists by a search in a related view of many rows', function () {
  this.timeout(120_000)
  /** Newest first. */
  const jobs: ViewRow<Job>[] = []
  const persons: ViewRow<Person>[] = []
  let folder: TemporaryFolder
  let database: Database
  before(async () => {
    folder = temporaryFolder()
    database = await openSqliteDatabase({ file: join(folder.path, 'test.db'), views: [people, relatedJobs] })
    const commits = [
      ...Array.from({ length: PEOPLE }, (_, n) => named(personId(n), nameOf(n), NOON + n)),
      ...Array.from({ length: JOBS }, (_, n) => relatedJob(`${n + 1}`, jobOf(n + 1), NOON + n)),
    ]
    for (let n = 0; n < commits.length; n += BATCH_SIZE) await appendAll(database, commits.slice(n, n + BATCH_SIZE))
    persons.push(...commits.slice(0, PEOPLE).map(({ rows }) => rows[0] as ViewRow<Person>))
    jobs.push(...commits.slice(PEOPLE).map(({ rows }) => rows[0] as ViewRow<Job>))
    jobs.reverse()
  })
  after(async () => {
    await database?.close()
    folder.remove()
  })

  async function assertScanned(search: string, asked: Partial<ListQuery>): Promise<void> {
    const question = query({ limit: 3, ...asked, related: { filter: 'client', search } })
    const expected = scanned(jobs, persons, question)
    for (const _ of ['the first time', 'again']) {
      assert.deepEqual(await database.view(relatedJobs).list(question), expected, JSON.stringify(question))
    }
  }

  for (const [what, search] of [
    ['for an empty search, which is no filter', ''],
    ['for all people', 'e'],
    ['for a few people by two words', '7 early'],
    ['for more people than are counted in each slice', 'later'],
    ['for a few people with many old jobs', 'early'],
    ['for some people with few jobs', '77'],
    ['for no people', 'nowhere'],
  ] as const) {
    it(`find every page ${what}`, async () => {
      for (const asked of [
        {},
        { offset: 2 },
        { offset: 11_990 },
        { offset: 15_000 },
        { offset: 29_000 },
        { offset: 100_000 },
        { after: '30000' },
        { after: '29999', withoutTotal: true },
        { after: '12345' },
        { after: '600' },
        { after: '1' },
        { withoutTotal: true },
        { offset: 13_000, withoutTotal: true },
      ]) {
        await assertScanned(search, asked)
      }
    })

    it(`combine with all other conditions ${what}`, async () => {
      for (const asked of [
        { where: { kind: 'audit' } },
        { where: { kind: 'audit' }, offset: 11_000 },
        { where: { kind: 'audit' }, between: { due: { from: '2026-01-01' } }, after: '17000' },
        { where: { client: 'p7' } },
        { where: { client: 'p7', kind: 'tax' }, offset: 50 },
        { between: { due: { from: '2026-03-01', to: '2026-03-01' } }, offset: 1_000 },
        { search: 'rare' },
        { search: 'rare', offset: 10, where: { kind: 'tax' } },
        { search: 'job' },
        { search: 'job', offset: 12_000, withoutTotal: true },
        { search: '7', after: '20000' },
        { search: 'nothing' },
      ]) {
        await assertScanned(search, asked)
      }
    })
  }

  it('reflect a rename and a new row immediately', async () => {
    const question = query({ limit: 2, related: { filter: 'client', search: 'later' } })
    const total = async () => (await database.view(relatedJobs).list(question)).total
    const before = await total()
    const renamed = named('p0', 'Now later', NOON + PEOPLE, persons[0])
    await appendAll(database, [renamed])
    persons[0] = renamed.rows[0] as ViewRow<Person>
    const ofFirst = jobs.filter(({ state }) => state.client === 'p0').length
    assert.equal(await total(), before + ofFirst)
    const added = relatedJob('100000', jobOf(OLDEST + 2_000), NOON + JOBS)
    await appendAll(database, [added])
    jobs.unshift(added.rows[0] as ViewRow<Job>)
    assert.equal(await total(), before + ofFirst + 1)
    await assertScanned('later', {})
  })

  it('are refused if the search finds more rows than can be located, and answered once it is more specific', async () => {
    const more = Array.from({ length: MAX_RELATED }, (_, n) => named(`q${n}`, `Much later ${n}`, NOON + PEOPLE + n))
    for (let n = 0; n < more.length; n += BATCH_SIZE) await appendAll(database, more.slice(n, n + BATCH_SIZE))
    persons.push(...more.map(({ rows }) => rows[0] as ViewRow<Person>))
    const question = query({ related: { filter: 'client', search: 'later' } })
    await assert.rejects(database.view(relatedJobs).list(question), TooManyRelated)
    await assertScanned('much later', {})
    await assertScanned('early', {})
  })
})
