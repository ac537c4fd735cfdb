import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type AuthoredEvent, BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { type LogScan, MAX_SCANNED } from '../../../shared/event-sourcing/ports/log-scan.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { forAllAsync } from '../../support/for-all.ts'
import { appendAll, NOON, noted } from '../../support/jobs.ts'

type Conditions = Omit<LogScan, 'after' | 'limit'>

const ALL: Conditions = { of: [{ category: 'job', which: 'all' }] }

const CATEGORIES = ['job', 'jobs', 'note']
const AUTHORS = ['a', 'b']
const MOMENTS = [NOON, NOON + 1, NOON + 2]

/** Follows a scan to the end of the log. */
async function scanAll({ events }: Database, conditions: Conditions, limit: number, from = BEGINNING) {
  const found: AuthoredEvent[] = []
  for (let after = from; ; ) {
    const scanned = await events.scan({ ...conditions, after, limit })
    assert.ok(scanned.events.length <= limit)
    assert.ok(scanned.events.every(({ position }) => position > after && position <= scanned.through))
    found.push(...scanned.events)
    if (scanned.isLast) return found
    assert.ok(scanned.through > after, 'a scan goes on')
    after = scanned.through
  }
}

function matches({ of, by, since, until }: Conditions, event: AuthoredEvent): boolean {
  const { stream, version, at } = event
  return (
    of.some(({ category, which }) => {
      return category === stream.category && (which === 'all' || (which === 'first') === (version === 1))
    }) &&
    (by === undefined || event.by === by) &&
    (since === undefined || at >= since) &&
    (until === undefined || at <= until)
  )
}

describeOnDatabases('scan of the log', (open) => {
  it('finds exactly the matching events, in order, with any limit and from any position', async () => {
    const { database } = await open([])
    for (let index = 0; index < 40; index++) {
      const stream = { category: CATEGORIES[index % 3] ?? '', id: '1' }
      const version = Math.floor(index / 3) * 2
      const metadata = { at: MOMENTS[Math.floor(index / 15)] ?? 0, by: AUTHORS[index % 2] ?? '', requestId: 'r' }
      const commit = noted('1', version, { stream, metadata })
      // Two events each, so that a scan can begin and end within a commit.
      await appendAll(database, [{ ...commit, events: [...commit.events, ...commit.events] }])
    }
    const everything = await scanAll(database, { of: CATEGORIES.map((category) => ({ category, which: 'all' })) }, 7)
    assert.deepEqual(
      everything.map(({ position }) => position),
      Array.from({ length: 80 }, (_, index) => index + 1),
    )
    const [first] = await database.events.readAll(BEGINNING, 1)
    assert.deepEqual(everything[0], first)
    const sought = fc.record({
      category: fc.constantFrom(...CATEGORIES),
      which: fc.constantFrom('first', 'later', 'all'),
    })
    const conditions = fc.record(
      {
        of: fc.uniqueArray(sought, { minLength: 1, selector: ({ category }) => category }),
        by: fc.constantFrom(...AUTHORS),
        since: fc.constantFrom(...MOMENTS),
        until: fc.constantFrom(...MOMENTS),
      },
      { requiredKeys: ['of'] },
    )
    const start = fc.integer({ min: 0, max: 80 })
    await forAllAsync([conditions, fc.integer({ min: 1, max: 20 }), start], async (drawn, limit, from) => {
      const found = await scanAll(database, drawn, limit, from as Position)
      assert.deepEqual(
        found,
        everything.filter((event) => event.position > from && matches(drawn, event)),
      )
    })
  })

  it('reads up to the end of the log if nothing matches, and reports it', async () => {
    const { database } = await open([])
    const nothing = { events: [], through: BEGINNING, isLast: true }
    assert.deepEqual(await database.events.scan({ ...ALL, after: BEGINNING, limit: 10 }), nothing)
    await appendAll(database, [noted('1', 0), noted('2', 0)])
    const scanned = await database.events.scan({ ...ALL, by: 'nobody', after: BEGINNING, limit: 10 })
    assert.deepEqual(scanned, { events: [], through: 2, isLast: true })
  })

  it('immediately sees what another process has appended', async () => {
    const under = await open([])
    const other = await under.beside()
    for (let version = 0; version < 20; version++) {
      await appendAll(other, [noted('1', version)])
      assert.equal((await scanAll(under.database, ALL, 10)).length, version + 1)
    }
  })

  it('scans a limited number of positions, however few match', async () => {
    const { database } = await open([])
    const one = noted('1', 0)
    const count = 1_000
    const many = Array.from({ length: count }, () => one.events).flat()
    for (let version = 0; version <= MAX_SCANNED; version += count) {
      await appendAll(database, [noted('1', version, { events: many })])
    }
    const scanned = await database.events.scan({ ...ALL, by: 'nobody', after: BEGINNING, limit: 10 })
    assert.deepEqual(scanned, { events: [], through: MAX_SCANNED, isLast: false })
  })
})
