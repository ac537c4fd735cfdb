import assert from 'node:assert/strict'
import { BEGINNING, type LogEvent } from '../../../shared/event-sourcing/event.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { Commit } from '../../../shared/event-sourcing/ports/event-store.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import {
  appendAll,
  assertViewEqualsLog,
  assertWhole,
  countTypes,
  jobsByText,
  noted,
  wholeLog,
} from '../../support/jobs.ts'

describeOnDatabases('event store under concurrent appends', (open) => {
  it('gives each append its own outcome', async () => {
    const { database } = await open([])
    await appendAll(database, [noted('old', 0, { commitId: 'known' })])
    const outcomes = await Promise.all(
      [
        noted('1', 0),
        noted('old', 0),
        noted('2', 0),
        noted('3', 0, { commitId: 'known' }),
        noted('4', 3),
        noted('5', 0),
      ].map((commit) => database.events.append(commit)),
    )
    assert.deepEqual(
      outcomes.map(({ type }) => type),
      ['appended', 'wrong-version', 'appended', 'already-appended', 'wrong-version', 'appended'],
    )
    assertWhole(await wholeLog(database), 4)
  })

  it('lets exactly one append at each expected version win', async () => {
    const { database } = await open([])
    for (let version = 0; version < 5; version++) {
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => database.events.append(noted('1', version))))
      assert.deepEqual(countTypes(outcomes), { appended: 1, 'wrong-version': 19 })
    }
    assertWhole(await wholeLog(database), 5)
  })

  it('writes 50 identical commits once', async () => {
    const { database } = await open([])
    const commit = noted('1', 0, { commitId: 'same' })
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => database.events.append(commit)))
    assert.deepEqual(countTypes(outcomes), { appended: 1, 'already-appended': 49 })
    assertWhole(await wholeLog(database), 1)
  })

  it('builds one gapless log that preserves the order of each stream, through several processes', async () => {
    const under = await open([jobsByText])
    const processes = [under.database, await under.beside(), await under.beside()]
    const chains = Array.from({ length: 30 }, async (_, id) => {
      const { events } = processes[id % 3] as Database
      for (let version = 0; version < 10; version++) {
        const one = noted(String(id), version * 2)
        const rows = one.rows.map((row) => ({ ...row, version: row.version + 1 }))
        const both: Commit = { ...one, events: [...one.events, ...one.events], rows }
        assert.equal((await events.append(both)).type, 'appended')
      }
    })
    const contests = processes.map(async ({ events }) => {
      for (let [version, won] = [0, 0]; won < 10; ) {
        const outcome = await events.append(noted('contested', version))
        if (outcome.type === 'appended') won++
        version = outcome.type === 'wrong-version' ? outcome.currentVersion : version + 1
      }
    })
    await Promise.all([...chains, ...contests])
    const log = await wholeLog(under.database, 7)
    assertWhole(log, 630)
    assert.equal(await under.database.events.head(), log.at(-1)?.position)
    for (const one of new Set(processes)) await assertViewEqualsLog(one, jobsByText)
  })

  it('never shows a reader an event before all earlier ones', async () => {
    const { database } = await open([])
    let appending = true
    const reading = (async () => {
      const seen: LogEvent[] = []
      while (appending || seen.length < 500) {
        seen.push(...(await database.events.readAll(seen.at(-1)?.position ?? BEGINNING, 13)))
        assert.ok(seen.length <= 500)
      }
      return seen
    })()
    const chains = Array.from({ length: 10 }, async (_, id) => {
      for (let version = 0; version < 50; version++) await appendAll(database, [noted(String(id), version)])
    })
    await Promise.all(chains)
    appending = false
    const seen = await reading
    assertWhole(seen, 500)
    assert.deepEqual(seen, await wholeLog(database))
  })
})
