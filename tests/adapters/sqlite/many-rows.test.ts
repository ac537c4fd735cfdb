import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.main.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { countedSearches } from '../../support/counted-search.ts'
import { jobs, query } from '../../support/jobs.ts'
import { clientOf, dueDayOf, fillWithJobs, hoursOf, MAX_HOURS, RARE } from '../../support/many-jobs.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { writeAheadLog } from '../../support/write-ahead-log.ts'

/** Enough for twenty slices of a scan; the bench has a million. */
const ROWS = 300_000
/** The maximum number of words in the searches whose slices are measured. */
const WORDS = 2
/** The maximum number of rows scanned in one slice: 2 ms of processor time. */
const SLICE_ROWS = 16_384
/** The maximum number of keys read in one slice: 10,001 of an index, and the view's counts before the first slice. */
const SLICE_KEYS = 12_000
/**
 * This many answers prove that others aren't blocked: a quarter of the slices of three searches. If each search took
 * one turn, there would be a handful.
 */
const MIN_ANSWERS = 15

// How long all of this takes: npm run bench -- --only million.
describe('SQLite with very many rows', function () {
  this.timeout(120_000)
  let folder: TemporaryFolder
  let database: Database
  let file: string
  before(async () => {
    folder = temporaryFolder()
    file = join(folder.path, 'test.db')
    await fillWithJobs(file, ROWS)
    database = await openSqliteDatabase({ file, views: [jobs] })
  })
  after(async () => {
    await database?.close()
    folder.remove()
  })
  const list = (asked: Parameters<typeof query>[0]) => database.view(jobs).list(query(asked))

  it('opens without rebuilding anything', () => {
    const { pages } = writeAheadLog(file)
    assert.ok(pages < 20, `${pages} pages were written`)
  })

  it('returns the right total and page for every kind of list', async () => {
    const isPayroll = (number: number) => number % 7 === 2
    const isDone = (number: number) => number % 2 === 0
    const isOf77 = (number: number) => clientOf(number) === clientOf(77)
    for (const [asked, matches] of [
      [{}, () => true],
      [{ offset: 254_321 }, () => true],
      [{ offset: ROWS - 1 }, () => true],
      [{ where: { client: clientOf(77) } }, isOf77],
      [{ search: 'RARE', offset: ROWS / RARE - 2 }, (number: number) => number % RARE === 0],
      [{ search: 'payroll', offset: Math.floor(ROWS / 7) - 1 }, isPayroll],
      [{ search: 'DONE' }, isDone],
      [{ search: 'done', offset: 123_456 }, isDone],
      [{ search: '29999 ' }, (number: number) => String(number).includes('29999')],
      [{ search: 'done 29999 payroll' }, (one: number) => isDone(one) && isPayroll(one) && `${one}`.includes('29999')],
      [{ search: 'ayro done', offset: 9_999 }, (number: number) => isDone(number) && isPayroll(number)],
      [{ search: 'yr 1 9' }, (one: number) => isPayroll(one) && `${one}`.includes('1') && `${one}`.includes('9')],
      [{ search: 'q' }, () => false],
      [{ search: 'yr' }, isPayroll],
      [{ search: 'yr', offset: Math.floor(ROWS / 7) - 1 }, isPayroll],
      [{ where: { client: clientOf(77) }, search: '5077' }, (one: number) => isOf77(one) && `${one}`.includes('5077')],
    ] as const) {
      const matching = numbersDown(ROWS).filter(matches)
      const { rows, total } = await list({ limit: 2, ...asked })
      const { offset = 0 } = asked as { offset?: number }
      const expected = [matching.length, ...matching.slice(offset, offset + 2)]
      assert.deepEqual([total, ...rows.map(({ id }) => Number(id))], expected, JSON.stringify(asked))
    }
  })

  it('combines bounds with filters, searches and cursors', async () => {
    const long = { from: MAX_HOURS / 2 }
    const isLong = (number: number) => hoursOf(number) >= long.from
    // The days 1216 to 1246 after the first of 2000.
    const may = { from: '2003-05-01', to: '2003-05-31' }
    const isInMay = (number: number) => dueDayOf(number) >= 1216 && dueDayOf(number) <= 1246
    const isPayroll = (number: number) => number % 7 === 2
    for (const [asked, ...conditions] of [
      [{ between: { hours: long } }, isLong],
      [{ between: { due: may, hours: long } }, isInMay, isLong],
      [{ where: { kind: 'Payroll' }, between: { hours: long } }, isPayroll, isLong],
      [{ search: 'payroll', between: { due: may } }, isPayroll, isInMay],
    ] as const) {
      const matching = numbersDown(ROWS).filter((number) => conditions.every((holds) => holds(number)))
      const after = matching[Math.floor(matching.length / 3)] ?? 0
      const { rows, total } = await list({ ...asked, limit: 3, after: String(after) })
      const next = matching.filter((number) => number < after).slice(0, 3)
      assert.deepEqual([total, ...rows.map(({ id }) => Number(id))], [matching.length, ...next])
      const page = await list({ ...asked, limit: 3, after: String(after), withoutTotal: true })
      assert.deepEqual(page, { rows, total: 0 })
    }
  })

  it('scans each text at most once for a word, and few or none if the index finds few rows or the search was made before', () => {
    const { search, close } = countedSearches(file)
    try {
      const textsFor = (asked: Parameters<typeof query>[0]) => search(query(asked)).texts
      for (const term of ['q', 'yr', 'payroll']) {
        const texts = textsFor({ search: term })
        assert.equal(texts, ROWS, term)
        assert.equal(textsFor({ search: term }), 0, `${term} again`)
      }
      // For each word, only the texts that have all trigrams of the rarest one.
      const having = (...trigrams: string[]) =>
        numbersDown(ROWS).filter((number) => trigrams.every((trigram) => `${number}`.includes(trigram))).length
      assert.equal(textsFor({ search: 'rare' }), ROWS / RARE)
      assert.equal(textsFor({ search: '29999' }), having('299', '999'))
      assert.equal(textsFor({ search: 'done rare' }), 2 * (ROWS / RARE))
      const texts = textsFor({ search: 'done 77777' })
      assert.ok(texts > 0 && texts <= 2 * having('777'), `${texts} texts`)
      // The second word only where the first one is.
      assert.equal(textsFor({ search: 'payroll 12' }), ROWS + Math.floor(ROWS / 7))
      assert.equal(textsFor({ search: '12 payroll' }), 0)
      // Bounds that match half of the jobs, and one in a thousand.
      for (const from of [MAX_HOURS / 2, MAX_HOURS - 1_000]) {
        const matching = numbersDown(ROWS).filter((number) => hoursOf(number) >= from).length
        const texts = textsFor({ search: 'payroll', between: { hours: { from } } })
        assert.ok(texts > 0 && texts <= matching, `${texts} texts of ${matching} jobs`)
      }
    } finally {
      close()
    }
  })

  it('yields to other queries after a few thousand rows, whatever the query', () => {
    const { search, close } = countedSearches(file)
    try {
      const hours = { from: MAX_HOURS / 2 }
      const searches = ['7', 'payroll 12', 'tax 9'].map((term) => ({ search: term }))
      for (const one of [...searches, { search: 'payroll', between: { hours } }, { between: { hours } }]) {
        const { textsAtOnce, keysAtOnce } = search(query({ ...one, offset: 900 }))
        const what = `${JSON.stringify(one)}: ${textsAtOnce} texts, ${keysAtOnce} keys`
        assert.ok(textsAtOnce <= WORDS * SLICE_ROWS && keysAtOnce <= SLICE_KEYS, what)
      }
    } finally {
      close()
    }
  })

  it('answers many other queries while searches scan all rows', async () => {
    await list({ search: 'q' })
    // A busy machine can only lower the count, so one round with enough answers is proof.
    const rounds: number[] = []
    await waitFor(
      async () => {
        rounds.push(await answeredDuringSlowSearches(rounds.length))
        return (rounds.at(-1) ?? 0) >= MIN_ANSWERS
      },
      { timeout: 60_000, what: 'a round in which others were answered often' },
    ).catch((error) => assert.fail(`${error.message}; rounds: ${rounds}`))
  })

  /** The number of quick rounds of queries answered during three slow searches: MIN_ANSWERS at most. */
  async function answeredDuringSlowSearches(round: number): Promise<number> {
    let searching = true
    const between = { hours: { from: 1 + round } }
    const searches = Promise.all(['q', 'z', '~'].map((search) => list({ search, between }))).finally(() => {
      searching = false
    })
    let answered = 0
    while (searching && answered < MIN_ANSWERS) {
      await database.view(jobs).get('150000')
      await list({ offset: 5000 })
      await list({ search: 'rare 9' })
      answered++
      // Meanwhile the thread continues one of the slow ones.
      await pause(1)
    }
    await searches
    return answered
  }
})

function numbersDown(from: number): number[] {
  return Array.from({ length: from }, (_, index) => from - index)
}
