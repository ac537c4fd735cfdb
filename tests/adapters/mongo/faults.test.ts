import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import { BEGINNING } from '../../../shared/event-sourcing/event.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { type Commit, StoreUnavailable } from '../../../shared/event-sourcing/ports/event-store.ts'
import type { ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, mongodProgram } from '../../support/engines.ts'
import { assertViewEqualsLog, created, type Job, jobsByText, noted, query } from '../../support/jobs.ts'
import { type Mongod, type ReplicaSet, startReplicaSet } from '../../support/mongod.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { assertLogIsWhole } from '../../support/whole-log.ts'

describeOn(mongodProgram(), 'MongoDB when servers die', (program) => {
  async function startWith(size: 1 | 3): Promise<{ set: ReplicaSet; database: Database }> {
    const set = atEnd.remove(await startReplicaSet(program, size))
    const database = atEnd.close(
      await openMongoDatabase({ url: set.url, name: 'faults', views: [jobsByText], viewsFolder: newFolder() }),
    )
    return { set, database }
  }

  it('loses nothing acknowledged and writes nothing twice when mongod is killed and restarted under load', async () => {
    const { set, database } = await startWith(1)
    const load = startLoad(database)
    const [member] = set.members as [Mongod]
    for (let round = 0; round < 3; round++) {
      const before = load.appended.length
      await waitFor(() => load.appended.length > before + 200, { what: 'appends to go on' })
      await member.kill()
      member.start()
    }
    const before = load.appended.length
    await waitFor(() => load.appended.length > before, { what: 'appends to go on by themselves' })
    await load.stop()

    const log = await assertLogIsWhole(database, load.appended, load.refused)
    await assertViewEqualsLog(database, jobsByText)
    const found = await database.view(jobsByText).list(query({ search: 'tax return' }))
    assert.equal(found.total, log.length)
  })

  it('shows every acknowledged record after the primary dies', async () => {
    const { set, database } = await startWith(3)
    const primary = await set.primary()
    const others = set.members.filter((member) => member !== primary)
    const commits = Array.from({ length: 20 }, () => created(randomUUID()))
    const outcomes = Promise.all(commits.map((commit) => database.events.append(commit)))
    await waitFor(async () => (await database.events.head()) === commits.length, { what: 'a majority to have the log' })
    await Promise.all(others.map((member) => member.kill()))
    assert.deepEqual(
      (await outcomes).map(({ type }) => type),
      commits.map(() => 'appended'),
    )
    await primary.kill()
    for (const member of others) member.start()

    const ids = commits.map(({ stream }) => stream.id)
    const answers = await Promise.all(ids.map((id) => firstAnswer(database, id)))
    assert.deepEqual(
      answers.map((row) => row?.id),
      ids,
    )
    await assertLogIsWhole(
      database,
      commits.map(({ commitId }) => commitId),
    )
    await assertViewEqualsLog(database, jobsByText)
  })

  it('answers no read from a new primary until it knows every acknowledged commit', async () => {
    const { set, database } = await startWith(3)
    const primary = await set.primary()
    const others = set.members.filter((member) => member !== primary)
    // As on a slow network: they have the log, but don't know yet that a majority has it.
    for (const member of others) await failPoint(member, 'disableSnapshotting', 'alwaysOn')
    const commits = Array.from({ length: 20 }, () => created(randomUUID()))
    const outcomes = Promise.all(commits.map((commit) => database.events.append(commit)))
    await waitFor(async () => (await database.events.head()) === commits.length, { what: 'a majority to have the log' })
    for (const member of others) await failPoint(member, 'stopReplProducer', 'alwaysOn')
    assert.deepEqual(new Set((await outcomes).map(({ type }) => type)), new Set(['appended']))
    await primary.kill()

    const [{ stream, commitId }] = commits as [Commit]
    const reads = {
      row: () => firstAnswer(database, stream.id),
      total: () => retrying(async () => (await database.view(jobsByText).list(query())).total),
      events: () => retrying(async () => (await database.events.readStream(stream)).length),
      commit: () => retrying(async () => (await database.events.findCommit(commitId))?.commitId),
      log: () => retrying(async () => (await database.events.readAll(BEGINNING, 100)).length),
      head: () => retrying(() => database.events.head()),
    }
    const pending = Object.values(reads).map((read) => read())
    const answers = Promise.all(pending)
    // Waits until a read is answered, which would be wrong, or the new primary blocks them.
    await Promise.race([...pending, waitFor(() => isAsked(others, /^mint faults\b/), { what: 'the reads' })])
    for (const member of others) await failPoint(member, 'disableSnapshotting', 'off')
    for (const member of others) await failPoint(member, 'stopReplProducer', 'off')
    const [row, total, events, commit, log, head] = await answers
    assert.deepEqual(
      { id: (row as ViewRow<Job> | undefined)?.id, total, events, commit, log, head },
      { id: stream.id, total: commits.length, events: 1, commit: commitId, log: commits.length, head: commits.length },
    )
  })

  it('appends no commit through a new primary until it shows the stream that the commit depends on', async () => {
    const { set, database } = await startWith(3)
    const primary = await set.primary()
    const others = set.members.filter((member) => member !== primary)
    for (const member of others) await failPoint(member, 'disableSnapshotting', 'alwaysOn')
    const rules = noted('rules', 0)
    const outcome = database.events.append(rules)
    await waitFor(async () => (await database.events.head()) === 1, { what: 'a majority to have the log' })
    for (const member of others) await failPoint(member, 'stopReplProducer', 'alwaysOn')
    assert.equal((await outcome).type, 'appended')
    await primary.kill()

    const decidedBefore = noted('1', 0, { dependsOn: [{ stream: rules.stream, version: 0 }] })
    const appended = retrying(() => database.events.append(decidedBefore))
    await Promise.race([appended, waitFor(() => isAsked(others, /^mint faults\b/), { what: 'the append' })])
    for (const member of others) await failPoint(member, 'disableSnapshotting', 'off')
    for (const member of others) await failPoint(member, 'stopReplProducer', 'off')
    assert.equal((await appended).type, 'dependency-changed')
  })
})

async function failPoint({ address }: Mongod, configureFailPoint: string, mode: 'alwaysOn' | 'off'): Promise<void> {
  const client = new MongoClient(`mongodb://${address}/?directConnection=true`)
  await client.db('admin').command({ configureFailPoint, mode })
  await client.close()
}

/** Whether the primary among these is executing a request of this application. */
async function isAsked(members: readonly Mongod[], appName: RegExp): Promise<boolean> {
  for (const { address } of members) {
    const client = new MongoClient(`mongodb://${address}/?directConnection=true`)
    const admin = client.db('admin')
    const { isWritablePrimary } = await admin.command({ hello: 1 })
    const { inprog } = await admin.command({
      currentOp: true,
      appName,
      active: true,
      'command.hello': { $exists: false },
    })
    await client.close()
    if (isWritablePrimary && inprog.length > 0) return true
  }
  return false
}

/** Retries until there is an answer. */
async function retrying<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const { answer } = await waitFor(async () => ({ answer: await ask() }), { what: 'an answer' })
  return answer
}

/** The row of a record, retried until a primary answers. */
async function firstAnswer(database: Database, id: string): Promise<ViewRow<Job> | undefined> {
  const { row } = await waitFor(async () => ({ row: await database.view(jobsByText).get(id) }), {
    what: 'a new primary that answers',
  })
  return row
}

/** Callers that create jobs one after the other, and the outcome of each. */
function startLoad(database: Database, callers = 16) {
  const appended: string[] = []
  const refused: string[] = []
  let stopping = false

  async function append(commit: Commit): Promise<void> {
    try {
      const outcome = await database.events.append(commit)
      if (outcome.type === 'unknown') return
      assert.equal(outcome.type, 'appended')
      appended.push(commit.commitId)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      refused.push(commit.commitId)
    }
  }

  async function run(): Promise<void> {
    while (!stopping) await append(created(randomUUID()))
  }

  const running = Promise.all(Array.from({ length: callers }, run))
  const stop = async (): Promise<void> => {
    stopping = true
    await running
  }
  return { appended, refused, stop }
}
