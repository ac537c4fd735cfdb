import assert from 'node:assert/strict'
import { changesOf, readHistory } from '../../../shared/event-sourcing/history.ts'
import { type Past, readAsOf, stateAt } from '../../../shared/event-sourcing/past-states.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { Versioned, ViewDefinition, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { SNAPSHOT_INTERVAL } from '../../../shared/event-sourcing/snapshots.ts'
import { createEventReader } from '../../../shared/event-sourcing/upcasting.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { append, created, edited, type Job, jobs, NOON } from '../../support/jobs.ts'
import { appendEdits, hasSnapshots } from '../../support/long-streams.ts'
import { waitFor } from '../../support/wait-for.ts'

const VERSIONS = 3 * SNAPSHOT_INTERVAL + 8
const readJobEvent = createEventReader<{ type: 'JobCreated.v1' | 'JobEdited.v1'; data: object }>({
  'JobCreated.v1': true,
  'JobEdited.v1': true,
})

describeOnDatabases('the past of a long stream', (open) => {
  it('has a snapshot about every 64 versions, found by version and by time', async () => {
    const { database } = await open([jobs])
    const versions = await longJob(database)
    const view = database.view(jobs)
    for (const { version, at } of versions) {
      const expected = versions[version - (version % SNAPSHOT_INTERVAL) - 1]
      assert.deepEqual(await view.snapshot('1', { version }), expected && versioned(expected))
      const last = versions.findLast((one) => one.at <= at && one.version % SNAPSHOT_INTERVAL === 0)
      assert.deepEqual(await view.snapshot('1', { at }), last && versioned(last))
    }
    assert.equal(await view.snapshot('2', { version: VERSIONS }), undefined)
    assert.equal(await view.snapshot('none', { version: VERSIONS }), undefined)
  })

  it('is read at any version or moment from a few events, in small chunks', async () => {
    const { database } = await open([jobs])
    const versions = await longJob(database)
    const { past, reads } = counted(database)
    const someVersions = versions.filter(({ version }) => version === 1 || (version + 1) % SNAPSHOT_INTERVAL < 3)
    for (const { version, at, state } of [...someVersions, ...versions.slice(98, 101)]) {
      const then = versions.findLast((one) => one.at <= at)
      assert.deepEqual(await stateAt(past, '1', version), state)
      assertFewRead(reads, SNAPSHOT_INTERVAL)
      assert.deepEqual(versioned(await readAsOf(past, '1', at)), versioned(then))
      // It also reads to the end of the moment's chunk.
      assertFewRead(reads, 2 * SNAPSHOT_INTERVAL)
      await readHistory(past, readJobEvent, { id: '1', offset: version - 1, limit: 10 })
      assertFewRead(reads, SNAPSHOT_INTERVAL + 10)
    }
    assert.equal(await readAsOf(past, '1', NOON - 1), undefined)
    await assert.rejects(stateAt(past, '1', VERSIONS + 1), /The log has no version 201 of job 1/)
  })

  it('is iterated in chunks, each change with the states before and after it', async () => {
    const { database } = await open([jobs])
    const versions = await longJob(database)
    const { past, reads } = counted(database)
    const changes = []
    for await (const { event, before, after } of changesOf(past, '1')) changes.push([event.version, before, after])
    assert.deepEqual(
      changes,
      versions.map(({ version, state }) => [version, versions[version - 2]?.state, state]),
    )
    assert.ok(reads.every((size) => size <= SNAPSHOT_INTERVAL))
  })

  it('has its snapshots after a rebuild, even with concurrent edits', async () => {
    const { database } = await open([jobs])
    const versions = await longJob(database)
    const [rebuilt] = await Promise.all([
      database.view(jobs).rebuild(),
      appendEdits(database, versions, SNAPSHOT_INTERVAL),
    ])
    assert.equal(rebuilt, undefined)
    await hasSnapshots(database, versions)
  })

  it('is folded by the current definition, never from snapshots of another one', async () => {
    const under = await open([jobs])
    const versions = await longJob(under.database)
    const shouting: ViewDefinition<Job> = {
      ...jobs,
      fold: (state, event) => ({ ...jobs.fold(state, event), kind: 'SHOUTED' }),
    }
    const database = await under.reopen([shouting])
    const past = { events: database.events, view: database.view(shouting) }
    for (const { version, state } of versions.slice(60, 140)) {
      assert.deepEqual(await stateAt(past, '1', version), { ...state, kind: 'SHOUTED' })
    }
    const found = await past.view.snapshot('1', { version: VERSIONS })
    assert.deepEqual([found?.version, found?.state.kind], [3 * SNAPSHOT_INTERVAL, 'SHOUTED'])
  })

  it('has a snapshot even where a commit of several events skips the version due for one', async () => {
    const { database } = await open([jobs])
    const versions = [await append(database, created('1'))]
    await appendEdits(database, versions, SNAPSHOT_INTERVAL - 3)
    const before = versions.at(-1) as ViewRow<Job>
    const commit = edited(before, { title: 'twice' })
    const version = before.version + 3
    await append(database, {
      ...commit,
      events: [...commit.events, ...commit.events, ...commit.events],
      rows: commit.rows.map((row) => ({ ...row, version })),
    })
    await waitFor(async () => (await database.view(jobs).snapshot('1', { version })) !== undefined, {
      what: 'the snapshot',
    })
    // It may be of the whole commit, or of the event in it that reaches the version.
    const found = await database.view(jobs).snapshot('1', { version })
    assert.ok(found && found.version >= SNAPSHOT_INTERVAL)
    assert.deepEqual({ ...found.state }, { ...before.state, title: 'twice' })
  })
})

/** A job of VERSIONS versions; two versions share each millisecond. */
async function longJob(database: Database): Promise<ViewRow<Job>[]> {
  const versions = [await append(database, created('1'))]
  await appendEdits(database, versions, VERSIONS - 1)
  await append(database, created('2'))
  await hasSnapshots(database, versions)
  return versions
}

function versioned<State>(row: Versioned<State> | undefined): Versioned<State> | undefined {
  return row && { state: row.state, version: row.version, at: row.at }
}

/** The past, and the number of events that each read of a stream returned. */
function counted({ events, view }: Database) {
  const reads: number[] = []
  const readStream: Past<Job>['events']['readStream'] = async (stream, range) => {
    const found = await events.readStream(stream, range)
    reads.push(found.length)
    return found
  }
  return { past: { events: { readStream }, view: view(jobs) }, reads }
}

/** Asserts that at most `max` events were read since the last call, and at most a chunk at a time. */
function assertFewRead(reads: number[], max: number): void {
  const all = reads.splice(0)
  assert.ok(all.reduce((sum, size) => sum + size, 0) <= max, `read ${all} events`)
  assert.ok(all.every((size) => size <= SNAPSHOT_INTERVAL))
}
