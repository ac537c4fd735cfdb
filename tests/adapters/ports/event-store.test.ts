import assert from 'node:assert/strict'
import { BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import { assertNone } from '../../support/assert-none.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { appendAll, assertWhole, created, NOON, noted, wholeLog } from '../../support/jobs.ts'
import { waitFor } from '../../support/wait-for.ts'

describeOnDatabases('event store', (open) => {
  it('stores every part of a commit unchanged', async () => {
    const { database } = await open([])
    const data = { name: 'Élan Ω 漢字 🧾 "quoted" \\ \u0001', nested: { list: [1, null, true, 0.1] }, empty: '' }
    const outcome = await database.events.append({
      stream: { category: 'job', id: 'a/ü 🙂' },
      expectedVersion: 0,
      commitId: 'commit-é',
      events: [
        { type: 'JobCreated.v1', data },
        { type: 'JobEdited.v2', data: {} },
      ],
      metadata: { at: NOON, by: 'Zoë 🧑', requestId: 'réquest', requestHash: 'hash', traceparent: '00-a-b-01' },
      rows: [],
    })

    const stream = { category: 'job', id: 'a/ü 🙂' }
    const events = await database.events.readStream(stream)
    const author = { at: NOON, by: 'Zoë 🧑', traceparent: '00-a-b-01' }
    const shared = { stream, ...author, requestId: 'réquest', commitId: 'commit-é' }
    assert.deepEqual(
      events.map(({ position: _, ...event }) => event),
      [
        { ...shared, version: 1, type: 'JobCreated.v1', data },
        { ...shared, version: 2, type: 'JobEdited.v2', data: {} },
      ],
    )
    assert.deepEqual(outcome, { type: 'appended', version: 2, position: events[1]?.position })
    assert.deepEqual(
      await wholeLog(database),
      events.map(({ requestId: _request, commitId: _commit, ...event }) => event),
    )
    const receipt = { commitId: 'commit-é', stream, version: 2, requestHash: 'hash' }
    assert.deepEqual(await database.events.findCommit('commit-é'), receipt)
  })

  it('stores every character that a text may have', async () => {
    const { database } = await open([])
    const codePoints = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint)
    // All but NUL and halves of surrogate pairs.
    const allowed = codePoints.filter((codePoint) => codePoint > 0 && (codePoint < 0xd800 || codePoint > 0xdfff))
    const texts = Array.from({ length: 112 }, (_, part) =>
      String.fromCodePoint(...allowed.slice(part * 10_000, (part + 1) * 10_000)),
    )
    assert.equal([...texts.join('')].length, allowed.length)
    const events = texts.map((notes) => ({ type: 'JobEdited.v1', data: { notes } }))
    await database.events.append({ ...noted('1', 0), events })
    const stored = await database.events.readStream({ category: 'job', id: '1' })
    assertNone(stored.filter(({ data }, index) => (data as { notes: string }).notes !== texts[index]))
    assert.equal(stored.length, texts.length)
  })

  it('omits undefined fields', async () => {
    const { database } = await open([])
    const stream = { category: 'job', id: '1' }
    const data = { none: undefined, nested: { name: 'x', none: undefined } }
    const { metadata } = noted('1', 0)
    const events = [{ type: 'JobCreated.v1', data }]
    await database.events.append({ stream, expectedVersion: 0, commitId: 'c', events, metadata, rows: [] })
    const [event] = await database.events.readStream(stream)
    assert.deepEqual(event?.data, { nested: { name: 'x' } })
  })

  it('returns nothing for an empty log, an unknown stream or an unknown commit', async () => {
    const { database } = await open([])
    assert.equal(await database.events.head(), BEGINNING)
    assert.deepEqual(await database.events.readAll(BEGINNING, 10), [])
    assert.deepEqual(await database.events.readStream({ category: 'job', id: '1' }), [])
    assert.equal(await database.events.findCommit('none'), undefined)
  })

  it('checks that it is writable without appending an event', async () => {
    const { database } = await open([])
    await appendAll(database, [noted('1', 0), noted('2', 0)])
    await appendAll(database, [noted('1', 1)])
    await database.checkWritable()
    assert.equal(await database.events.head(), 3)
  })

  it('confirms the versions of streams, including everything that another process has acknowledged', async () => {
    const under = await open([])
    const { events } = under.database
    const other = await under.beside()
    const streams = ['1', '2', 'none'].map((id) => ({ category: 'job', id }))
    const pair = noted('2', 0)
    await appendAll(under.database, [noted('1', 0), { ...pair, events: [...pair.events, ...pair.events] }])
    for (let version = 1; version <= 5; version++) {
      assert.deepEqual(await events.confirmedVersions(streams), [version, 2, 0])
      const waiting = events.confirmedVersions(streams)
      await appendAll(other, [noted('1', version)])
      assert.deepEqual(await events.confirmedVersions(streams), [version + 1, 2, 0])
      await waiting
    }
  })

  it('settles once every append requested before has ended, including refused ones', async () => {
    const { database } = await open([])
    const { events } = database
    await events.settled()
    const appends = [noted('1', 0), noted('2', 7), noted('2', 0)].map((commit) => events.append(commit))
    await events.settled()
    assert.equal(await events.head(), 2)
    const outcomes = await Promise.all(appends)
    assert.deepEqual(
      outcomes.map(({ type }) => type),
      ['appended', 'wrong-version', 'appended'],
    )
  })

  it('counts the events of a category, excluding another with the same prefix', async () => {
    const { database } = await open([])
    await appendAll(database, [noted('1', 0), noted('2', 0)])
    const [note] = await wholeLog(database)
    const category = note?.stream.category ?? ''
    const other = noted('3', 0)
    await appendAll(database, [{ ...other, stream: { ...other.stream, category: `${category}s` } }])
    const count = async (...names: string[]) =>
      await database.events.countIn(names, { after: BEGINNING, upTo: await database.events.head() })
    const both = await count(category, `${category}s`)
    assert.deepEqual([await count(category), await count(`${category}s`), both, await count('none')], [2, 1, 3, 0])
  })

  it('counts the events after a position up to another, even if that is within a commit', async () => {
    const { database } = await open([])
    const [event] = noted('2', 0).events
    const two = event === undefined ? [] : [event, event]
    await appendAll(database, [noted('1', 0), { ...noted('2', 0), events: two }])
    const category = noted('1', 0).stream.category
    const count = (after: number, upTo: number) =>
      database.events.countIn([category], { after: after as Position, upTo: upTo as Position })
    assert.deepEqual([await count(0, 1), await count(0, 2), await count(1, 2), await count(1, 3)], [1, 2, 1, 2])
  })

  it('refuses an expected version that is too low or too high, and reports the current one', async () => {
    const { database } = await open([])
    await appendAll(database, [noted('1', 0)])
    for (const expectedVersion of [0, 2, 7]) {
      const outcome = await database.events.append(noted('1', expectedVersion))
      assert.deepEqual(outcome, { type: 'wrong-version', currentVersion: 1 })
    }
    const onNothing = await database.events.append(noted('2', 1))
    assert.deepEqual(onNothing, { type: 'wrong-version', currentVersion: 0 })
    assert.equal((await wholeLog(database)).length, 1)
  })

  it('returns the receipt of the first commit for a known commit id, whatever the new commit contains', async () => {
    const { database } = await open([])
    const first = noted('1', 0, { commitId: 'once', metadata: { at: NOON, by: 'a', requestId: 'r', requestHash: 'h' } })
    await appendAll(database, [first])
    await appendAll(database, [noted('1', 1)])
    const receipt = { commitId: 'once', stream: first.stream, version: 1, requestHash: 'h' }
    for (const again of [first, noted('1', 2, { commitId: 'once' }), noted('9', 5, { commitId: 'once' })]) {
      assert.deepEqual(await database.events.append(again), { type: 'already-appended', receipt })
    }
    assert.equal((await wholeLog(database)).length, 2)
  })

  it('reads any range of versions of a stream', async () => {
    const { database } = await open([])
    for (let version = 0; version < 6; version++) {
      const at = NOON + Math.floor(version / 2) * 1000
      await appendAll(database, [
        noted('1', version, { metadata: { at, by: 'a', requestId: 'r' } }),
        noted(`x${version}`, 0),
      ])
    }
    const read = async (range: object) =>
      (await database.events.readStream({ category: 'job', id: '1' }, range)).map(({ version }) => version)
    assert.deepEqual(await read({}), [1, 2, 3, 4, 5, 6])
    assert.deepEqual(await read({ afterVersion: 2 }), [3, 4, 5, 6])
    assert.deepEqual(await read({ upToVersion: 2 }), [1, 2])
    assert.deepEqual(await read({ afterVersion: 1, upToVersion: 5 }), [2, 3, 4, 5])
    assert.deepEqual(await read({ afterVersion: 6 }), [])
  })

  it('keeps streams with the same id in different categories apart', async () => {
    const { database } = await open([])
    await appendAll(database, [noted('1', 0), noted('1', 0, { stream: { category: 'note', id: '1' } })])
    assert.equal((await database.events.readStream({ category: 'job', id: '1' })).length, 1)
    assert.equal((await database.events.readStream({ category: 'note', id: '1' })).length, 1)
  })

  it('notifies a listener of appends until it unsubscribes', async () => {
    const { database } = await open([])
    let wakes = 0
    const end = database.events.onAppended(() => {
      wakes += 1
    })
    await appendAll(database, [noted('1', 0)])
    await waitFor(() => wakes > 0, { what: 'the wake-up' })
    end()
    const before = wakes
    await appendAll(database, [noted('1', 1)])
    assert.equal(wakes, before)
  })

  it('keeps everything across a close and reopen', async () => {
    const under = await open([])
    await appendAll(under.database, [noted('1', 0, { commitId: 'one' }), noted('2', 0)])
    const log = await wholeLog(under.database)
    const again = await under.reopen([])
    assert.deepEqual(await wholeLog(again), log)
    assert.equal((await again.events.append(noted('1', 0, { commitId: 'one' }))).type, 'already-appended')
    await appendAll(again, [noted('1', 1)])
    assertWhole(await wholeLog(again), 3)
  })

  it('continues a stream after a commit of many events', async () => {
    const { database } = await open([])
    const { events, ...commit } = created('1')
    const many = Array.from({ length: 300 }, () => events).flat()
    const outcome = await database.events.append({ ...commit, events: many, rows: [] })
    assert.equal(outcome.type === 'appended' && outcome.version, 300)
    assert.equal((await database.events.findCommit(commit.commitId))?.version, 300)
    await appendAll(database, [noted('1', 300)])
  })
})
