import assert from 'node:assert/strict'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { Commit } from '../../../shared/event-sourcing/ports/event-store.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { appendAll, appendPatiently, assertWhole, noted, wholeLog } from '../../support/jobs.ts'
import { waitFor } from '../../support/wait-for.ts'

const RULES = { category: 'job', id: 'rules' }

/** A commit that was decided on this version of the rules. */
const decidedOn = (version: number, id: string, change: Partial<Commit> = {}): Commit =>
  noted(id, 0, { dependsOn: [{ stream: RULES, version }], ...change })

/** One more version of the rules. */
const ruled = (before: number): Commit => noted(RULES.id, before)

describeOnDatabases('commits that depend on another stream', (open) => {
  const typeOf = async (database: Database, commit: Commit) => (await database.events.append(commit)).type

  it('are appended only while that stream is at the version they were decided on', async () => {
    const { database } = await open([])
    assert.equal(await typeOf(database, decidedOn(0, '1')), 'appended')
    assert.equal(await typeOf(database, decidedOn(1, '2')), 'dependency-changed')
    assert.equal(await typeOf(database, ruled(0)), 'appended')
    assert.equal(await typeOf(database, decidedOn(0, '2')), 'dependency-changed')
    assert.equal(await typeOf(database, decidedOn(1, '2')), 'appended')
    assertWhole(await wholeLog(database), 3)
  })

  it('are appended only while each of several streams is at its version', async () => {
    const { database } = await open([])
    const other = { category: 'job', id: 'other' }
    const onBoth = (rules: number, others: number) =>
      decidedOn(0, '1', { dependsOn: [rules, others].map((version, n) => ({ stream: n ? other : RULES, version })) })
    await appendAll(database, [ruled(0), noted(other.id, 0)])
    assert.equal(await typeOf(database, onBoth(0, 1)), 'dependency-changed')
    assert.equal(await typeOf(database, onBoth(1, 0)), 'dependency-changed')
    assert.equal(await typeOf(database, onBoth(1, 1)), 'appended')
  })

  it('are still recognised as already appended after it changed', async () => {
    const { database } = await open([])
    const commit = decidedOn(0, '1', { commitId: 'sent twice' })
    await appendAll(database, [commit, ruled(0)])
    assert.equal(await typeOf(database, commit), 'already-appended')
  })

  it('report a wrong version of their own stream before a changed dependency', async () => {
    const { database } = await open([])
    await appendAll(database, [decidedOn(0, '1'), ruled(0)])
    assert.equal(await typeOf(database, decidedOn(0, '1')), 'wrong-version')
  })

  it('detect a change by another process, and one that is sent concurrently', async () => {
    const under = await open([])
    const { database } = under
    const other = await under.beside()
    await appendAll(database, [decidedOn(0, 'a')])
    await appendAll(other, [ruled(0)])
    assert.equal(await typeOf(database, decidedOn(0, 'b')), 'dependency-changed')
    const [, before, after] = await Promise.all([
      database.events.append(ruled(1)),
      database.events.append(decidedOn(1, 'c')),
      database.events.append(decidedOn(2, 'd')),
    ])
    // Sent concurrently: whichever is first, the log never contradicts a decision.
    assertOrdered(await wholeLog(database))
    assert.deepEqual([before.type, after.type], ['dependency-changed', 'appended'])
  })

  it('are appended if their caller knew of another process’s change before this one did', async () => {
    const under = await open([])
    const { database } = under
    const other = await under.beside()
    await appendAll(database, [decidedOn(0, 'a')])
    await appendAll(other, [ruled(0)])
    assert.equal(await typeOf(database, decidedOn(1, 'b')), 'appended')
    await appendAll(other, [ruled(1)])
    assert.equal(await typeOf(database, decidedOn(1, 'c')), 'dependency-changed')
    assert.equal(await typeOf(database, decidedOn(3, 'c')), 'dependency-changed')
    assert.equal(await typeOf(database, decidedOn(2, 'c')), 'appended')
  })

  it('are never appended after a change that they were not decided on, however they race', async () => {
    const under = await open([])
    const databases = [under.database, await under.beside(), await under.beside()]
    let version = 0
    let appended = 0
    let isOver = false
    const writers = Array.from({ length: 12 }, async (_, writer) => {
      for (let n = 0; !isOver; n++) {
        const database = databases[writer % 3] as Database
        const events = [{ type: 'JobEdited.v1', data: { title: `${version}` } }]
        if ((await appendPatiently(database, decidedOn(version, `${writer}-${n}`, { events }))) === 'appended')
          appended++
      }
    })
    for (; version < 40; version++) {
      const type = await appendPatiently(databases[version % 3] as Database, ruled(version))
      assert.ok(['appended', 'already-appended'].includes(type), type)
    }
    await waitFor(() => appended > 0, { what: 'a decision to win a race' })
    isOver = true
    await Promise.all(writers)
    let rules = 0
    let written = 0
    for (const event of await wholeLog(under.database)) {
      if (event.stream.id === RULES.id) rules = event.version
      else {
        written++
        assert.deepEqual(event.data, { title: `${rules}` })
      }
    }
    assert.equal(rules, 40)
    assert.ok(written > 0)
  }).timeout(180_000)
})

function assertOrdered(log: Awaited<ReturnType<typeof wholeLog>>): void {
  const at = (id: string) =>
    log.findIndex(({ stream, version }) => stream.id === id && (id !== RULES.id || version === 2))
  assert.ok(at(RULES.id) < at('d'))
}
