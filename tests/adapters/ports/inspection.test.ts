import assert from 'node:assert/strict'
import { BEGINNING } from '../../../shared/event-sourcing/event.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { positionAfter, type RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { append, appendAll, assertViewEqualsLog, created, edited, jobs, wholeLog } from '../../support/jobs.ts'

describeOnDatabases('the inspection and the importer', (open) => {
  it('read every commit completely, with its request hash and trace, in pages of any size', async () => {
    const { database } = await open([jobs])
    const first = await append(database, remembered(created('1')))
    await append(database, inTwoEvents(first))
    await appendAll(database, [created('2'), created('3')])
    const commits = await allCommits(database, 1)
    assert.deepEqual(
      commits.map(({ position, version, events }) => [Number(position), version, events.length]),
      [
        [1, 1, 1],
        [2, 2, 2],
        [4, 1, 1],
        [5, 1, 1],
      ],
    )
    const { metadata } = remembered(created('1'))
    assert.deepEqual(commits[0]?.metadata, metadata)
    assert.deepEqual(Object.keys(commits[1]?.metadata ?? {}), ['at', 'by', 'requestId'])
    assert.deepEqual(
      commits.flatMap(({ events }) => events),
      (await wholeLog(database)).map(({ type, data }) => ({ type, data })),
    )
    assert.equal(await database.inspection.head(), 5)
    assert.deepEqual(await allCommits(database, 100), commits)
  })

  it('copy a log with its receipts into another database, which builds its views from it', async () => {
    const { database: source } = await open([jobs])
    const first = await append(source, remembered(created('1')))
    await append(source, inTwoEvents(first))
    await appendAll(source, [created('2'), created('3', { title: 'Other' })])
    const target = await open([])
    for (const commit of await allCommits(source, 2)) await target.database.importer.writeCommits([commit])
    const filled = await target.reopen([jobs])
    assert.deepEqual(await wholeLog(filled), await wholeLog(source))
    assert.deepEqual(await filled.events.findCommit(remembered(created('1')).commitId), {
      commitId: 'commit-1',
      stream: { category: 'job', id: '1' },
      version: 1,
      requestHash: 'hash-1',
    })
    await assertViewEqualsLog(filled)
    const next = await append(filled, created('4'))
    assert.equal(next.version, 1)
    assert.equal(await filled.inspection.head(), 6)
    await assertViewEqualsLog(filled)
  })

  it('refuse commits that do not continue the log, and write none of them', async () => {
    const { database: source } = await open([jobs])
    await appendAll(
      source,
      ['1', '2', '3'].map((id) => created(id)),
    )
    const commits = await allCommits(source, 10)
    const { database: target } = await open([])
    await assert.rejects(target.importer.writeCommits(commits.slice(1)), /does not follow/)
    assert.equal(await target.inspection.head(), BEGINNING)
    await target.importer.writeCommits(commits.slice(0, 2))
    await assert.rejects(target.importer.writeCommits(commits), /does not follow/)
    assert.equal((await wholeLog(target)).length, 2)
  })

  it('omit undefined fields', async () => {
    const { database: source } = await open([jobs])
    await append(source, created('1'))
    const [commit] = await allCommits(source, 1)
    assert.ok(commit)
    const { database: target } = await open([])
    const events = commit.events.map(({ type, data }) => ({ type, data: { ...data, none: undefined } }))
    await target.importer.writeCommits([{ ...commit, events }])
    const [event] = await wholeLog(target)
    assert.deepEqual(event?.data, commit.events[0]?.data)
  })

  it('raise a sequence to a number, and never lower it', async () => {
    const under = await open([])
    const { importer } = under.database
    await importer.raiseSequence('job', 41)
    assert.equal(await under.database.inspection.lastNumber('job'), 41)
    const reopened = await under.reopen([])
    assert.equal(await reopened.sequence('job').next(), 42)
    await reopened.importer.raiseSequence('job', 5)
    assert.equal(await reopened.sequence('job').next(), 43)
    assert.equal(await reopened.inspection.lastNumber('another'), 0)
  })
})

const remembered = (commit: ReturnType<typeof created>) => ({
  ...commit,
  commitId: 'commit-1',
  metadata: { ...commit.metadata, requestHash: 'hash-1', traceparent: '00-a-b-01' },
})

function inTwoEvents(before: Awaited<ReturnType<typeof append>>) {
  const one = edited(before, { kind: 'audit' })
  const [row] = one.rows
  const events = [...one.events, { type: 'JobEdited.v1', data: { title: 'Twice' } }]
  const state = { ...before.state, kind: 'audit', title: 'Twice' }
  return { ...one, events, rows: one.rows.map((each) => ({ ...each, ...row, view: each.view, version: 3, state })) }
}

async function allCommits({ inspection }: Database, limit: number): Promise<RecordedCommit[]> {
  const commits: RecordedCommit[] = []
  for (;;) {
    const last = commits.at(-1)
    const read = await inspection.readCommits(last?.position ?? BEGINNING, limit)
    if (read.length === 0) return commits
    if (last) assert.equal(read[0]?.position, positionAfter(last))
    commits.push(...read)
  }
}
