import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../shared/event-sourcing/database.ts'
import { type Commit, StoreUnavailable } from '../../shared/event-sourcing/event-store.ts'
import { cleanup } from '../support/cleanup.ts'
import { describeOn, mongodProgram } from '../support/engines.ts'
import { type Mongod, type ReplicaSet, startReplicaSet } from '../support/mongod.ts'
import { waitFor } from '../support/wait-for.ts'
import { accounts, assertLogIsWhole, assertViewEqualsLog, openAccounts, payment, readLog } from './mongo-accounts.ts'

describeOn(mongodProgram(), 'MongoDB when servers die', (program) => {
  const atEnd = cleanup()

  async function startWith(size: 1 | 3): Promise<{ set: ReplicaSet; database: Database }> {
    const set = await startReplicaSet(program, size)
    atEnd(() => set.remove())
    const database = await openAccounts(set.url, 'faults')
    atEnd(() => database.close())
    return { set, database }
  }

  it('loses nothing acknowledged and writes nothing twice when mongod is killed and restarted under load', async () => {
    const { set, database } = await startWith(1)
    const load = startLoad(database)
    const [member] = set.members as [Mongod]
    for (let round = 0; round < 3; round++) {
      const before = load.appended.length
      await waitFor(() => load.appended.length > before + 200, { timeout: 10_000, what: 'appends to go on' })
      await member.kill()
      member.start()
    }
    const before = load.appended.length
    await waitFor(() => load.appended.length > before, { timeout: 10_000, what: 'appends to go on by themselves' })
    await load.stop()

    const log = await readLog(database)
    assertLogIsWhole(log, load.appended)
    const written = new Set(log.map(({ commitId }) => commitId))
    assert.deepEqual(
      load.refused.filter((commitId) => written.has(commitId)),
      [],
      'commits that were said not to be written',
    )
    await assertViewEqualsLog(database, log)
  }).timeout(40_000)

  it('shows every acknowledged record after the primary died before its view row was replicated', async () => {
    const { set, database } = await startWith(3)
    const load = startLoad(database)
    await waitFor(() => load.appended.length > 300, { timeout: 10_000, what: '300 appends' })
    const primary = await set.primary()
    const others = set.members.filter((member) => member !== primary)
    // What a majority has of the log now still gets its rows, on the primary alone, and is acknowledged.
    for (const member of others) member.signal('SIGSTOP')
    await pause(100)
    await primary.kill()
    for (const member of others) member.signal('SIGCONT')
    const acknowledged = [...load.ids]

    const rows = await waitFor(() => Promise.all(acknowledged.map((id) => database.view(accounts).get(id))), {
      timeout: 15_000,
      what: 'a new primary that answers',
    })
    assert.equal(rows.filter((row) => row === undefined).length, 0, 'acknowledged records that GET does not find')
    await load.stop()
    const log = await readLog(database)
    assertLogIsWhole(log, load.appended)
    await assertViewEqualsLog(database, log)
  }).timeout(40_000)
})

/** Callers that open accounts one after the other, and what became of each. */
function startLoad(database: Database, callers = 16) {
  const appended: string[] = []
  const refused: string[] = []
  const ids: string[] = []
  let stopping = false

  async function append(commit: Commit): Promise<void> {
    try {
      const outcome = await database.events.append(commit)
      if (outcome.type === 'unknown') return
      assert.equal(outcome.type, 'appended')
      appended.push(commit.commitId)
      ids.push(commit.stream.id)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      refused.push(commit.commitId)
    }
  }

  async function run(): Promise<void> {
    while (!stopping) await append(payment(randomUUID(), undefined))
  }

  const running = Promise.all(Array.from({ length: callers }, run))
  const stop = async (): Promise<void> => {
    stopping = true
    await running
  }
  return { appended, refused, ids, stop }
}
