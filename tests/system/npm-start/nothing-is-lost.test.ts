import assert from 'node:assert/strict'
import { join } from 'node:path'
import Big from 'big.js'
import { businessesViews } from '../../../services/businesses/service.ts'
import { contractsViews } from '../../../services/contracts/service.ts'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.main.ts'
import { BEGINNING, type LogEvent } from '../../../shared/event-sourcing/event.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { AnyViewDefinition, View, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { assertNone } from '../../support/assert-none.ts'
import { type MintProcess, startMint } from '../../support/mint-process.ts'
import {
  assertFirstAnswers,
  loadUntilKilled,
  markOf,
  newRecordedLoad,
  type RecordedLoad,
  settleDoubts,
  versionIn,
} from '../../support/recorded-load.ts'
import { aNewContract, type Rest, restClient } from '../../support/rest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const ROUNDS = 4
const CALLERS = 12
/** Answered keyed requests (half of all) before each kill: at least MIN_ANSWERED, plus up to RANDOM_EXTRA at random. */
const [MIN_ANSWERED, RANDOM_EXTRA] = [40, 100]
const KEY = 'mint_nothing-is-lost-0123456789'

describe('A Mint that is repeatedly killed with kill -9', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  const recorded = newRecordedLoad()
  let mint: MintProcess
  let call: Rest

  const start = async (): Promise<void> => {
    const environment = { MINT_API_KEY: KEY }
    mint = await startMint({ dataFolder: folder.path, environment })
    call = restClient(mint)
  }

  before(async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await start()
      await call('PUT', '/closing', { closedThrough: '1999-12-31', reason: `Round ${round}.` })
      await call('PATCH', '/firm', { name: `Firm ${round}` })
      const proposed = { action: 'create', fields: aNewContract(), reason: `Round ${round}.` }
      assert.equal((await call('POST', '/proposals', proposed)).status, 201)
      await settleDoubts(call, recorded)
      await assertFirstAnswers(call, recorded, 20)
      const load = loadUntilKilled(call, recorded, CALLERS)
      const enough = recorded.keyed.length + MIN_ANSWERED + Math.random() * RANDOM_EXTRA
      const answered = waitFor(() => recorded.keyed.length > enough, {
        timeout: 20_000,
        what: 'answers to be killed after',
      })
      await Promise.race([load, answered])
      await mint.kill()
      await load
    }
    await start()
    await settleDoubts(call, recorded)
  })
  after(async () => {
    await mint.kill()
    folder.remove()
  })

  it('was busy enough for these tests to be meaningful', () => {
    assert.ok(recorded.records.size > 200, `${recorded.records.size} records`)
    assert.ok(recorded.keyed.length > 100, `${recorded.keyed.length} keyed requests`)
  })

  it('has every acknowledged write, unchanged', async () => {
    for (const { path, body, version } of recorded.records.values()) {
      const answer = await call('GET', path)
      assert.deepEqual([answer.status, answer.body, versionIn(answer)], [200, body, version])
    }
  })

  it('has every edit of the firm, in the order of the rounds', async () => {
    const { events } = (await call('GET', '/firm/history')).body
    const names = events.map(({ data }: Listed) => (data as Listed).name)
    assert.deepEqual(
      names,
      Array.from({ length: ROUNDS }, (_, round) => `Firm ${round}`),
    )
  })

  it('has the proposal of every round', async () => {
    const { proposals } = (await call('GET', '/proposals')).body
    const reasons = proposals.map(({ reason }: { reason: string }) => reason)
    assert.deepEqual(
      reasons.toSorted(),
      Array.from({ length: ROUNDS }, (_, round) => `Round ${round}.`),
    )
  })

  it('has every closing, in the order of the rounds', async () => {
    const { events } = (await call('GET', '/closing/history')).body
    const reasons = events.map(({ reason }: { reason: string }) => reason)
    assert.deepEqual(
      reasons,
      Array.from({ length: ROUNDS }, (_, round) => `Round ${round}.`),
    )
  })

  it('repeats the first answer to every keyed request', () => assertFirstAnswers(call, recorded, 300))

  it('has every record exactly once, under a unique number or id', async () => {
    for (const collection of ['contracts', 'businesses'] as const) {
      const records = await listAll(call, collection)
      assert.equal(new Set(records.map(({ id }) => id)).size, records.length)
      const marks = records.map(markOf)
      assert.equal(new Set(marks).size, marks.length, 'no creation took effect twice')
      const acknowledged = new Set(acknowledgedMarks(recorded, collection))
      const others = marks.filter((mark) => !acknowledged.has(mark))
      assert.equal(marks.length - others.length, acknowledged.size)
      assertNone(others.filter((mark) => !recorded.neverAnswered.has(mark)))
    }
  })

  it('reports the exact sums of its contracts, both now and as changes since the beginning', async () => {
    const contracts = await listAll(call, 'contracts')
    const sumOf = (name: string) => contracts.reduce((sum, one) => sum.plus(String(one[name])), new Big(0))
    const [serviceFee, totalFeeWithTax] = [sumOf('serviceFee'), sumOf('totalFeeWithTax')]
    const expected = {
      count: contracts.length,
      serviceFee: serviceFee.toFixed(),
      tax: totalFeeWithTax.minus(serviceFee).toFixed(),
      totalFeeWithTax: totalFeeWithTax.toFixed(),
    }
    const report = await call('GET', '/reports/contracts')
    const billed = contracts.reduce((sum, one) => sum.plus(new Big(String(one.totalFeeWithTax)).round(2)), new Big(0))
    assert.deepEqual(report.body.sums, { ...expected, billed: billed.toFixed() })
    const { body } = await call('GET', '/reports/contracts/changes?since=1970-01-01T00:00:00.000Z')
    assert.deepEqual([body.difference, body.total], [expected, contracts.length])
  })

  it('has a client for every business, under its current name', async () => {
    const expected = (await listAll(call, 'businesses')).map(({ clientId, operatedAs }) => `${clientId} ${operatedAs}`)
    await waitFor(
      async () => {
        const clients = (await listAll(call, 'clients')).map(
          ({ clientId, displayName }) => `${clientId} ${displayName}`,
        )
        assert.deepEqual(clients.sort(), expected.sort())
        return true
      },
      { what: 'the clients to follow the businesses' },
    )
  })

  it('has gapless logs, complete streams, and views equal to a rebuild', async () => {
    mint.signal('SIGTERM')
    await mint.ended
    for (const [name, views] of [
      ['contracts', contractsViews],
      ['businesses', businessesViews],
    ] as const) {
      const database = await openSqliteDatabase({ file: join(folder.path, `${name}.db`), views })
      try {
        assertGapless(await readLog(database))
        for (const definition of views) await assertEqualsRebuild(database, definition)
      } finally {
        await database.close()
      }
    }
  })
})

type Listed = Record<string, unknown>

async function listAll(call: Rest, collection: 'contracts' | 'businesses' | 'clients'): Promise<Listed[]> {
  const all: Listed[] = []
  for (;;) {
    const { body } = await call('GET', `/${collection}?limit=100&offset=${all.length}`)
    all.push(...body[collection])
    if (body[collection].length === 0) {
      assert.equal(body.total, all.length)
      return all
    }
  }
}

function acknowledgedMarks(recorded: RecordedLoad, collection: string): string[] {
  const records = [...recorded.records.values()].filter(({ path }) => path.startsWith(`/${collection}/`))
  return records.map(({ body }) => markOf(body))
}

async function readLog({ events }: Database): Promise<LogEvent[]> {
  const log: LogEvent[] = []
  for (;;) {
    const page = await events.readAll(log.at(-1)?.position ?? BEGINNING, 1000)
    if (page.length === 0) return log
    log.push(...page)
  }
}

function assertGapless(log: readonly LogEvent[]): void {
  const versions = new Map<string, number>()
  for (const [index, { position, stream, version }] of log.entries()) {
    const name = `${stream.category} ${stream.id}`
    assert.equal(position, index + 1)
    assert.equal(version, (versions.get(name) ?? 0) + 1, name)
    versions.set(name, version)
  }
}

async function assertEqualsRebuild(database: Database, definition: AnyViewDefinition): Promise<void> {
  const view = database.view(definition)
  const before = await allRows(view)
  assert.ok(before.length > 0, definition.name)
  await view.rebuild()
  assert.deepEqual(await allRows(view), before)
}

async function allRows(view: View<unknown>): Promise<ViewRow[]> {
  const rows: ViewRow[] = []
  for (;;) {
    const page = await view.list({ where: {}, search: '', limit: 100, offset: rows.length })
    if (page.rows.length === 0) return rows
    rows.push(...page.rows)
  }
}
