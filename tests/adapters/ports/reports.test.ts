import assert from 'node:assert/strict'
import fc from 'fast-check'
import { evolve } from '../../../services/contracts/client/evolve.ts'
import { clientsView } from '../../../services/contracts/client/view.ts'
import { createClosings } from '../../../services/contracts/closing/closings.ts'
import { closingView } from '../../../services/contracts/closing/view.ts'
import { createContractCommands } from '../../../services/contracts/contract/commands.ts'
import { contractsView } from '../../../services/contracts/contract/view.ts'
import { firmView } from '../../../services/contracts/firm/view.ts'
import { createReportsService } from '../../../services/contracts/grpc/reports-service.ts'
import { createReportClock } from '../../../services/contracts/report/report-clock.ts'
import { sharingRuns } from '../../../shared/async/shared-runs.ts'
import { toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { datesIn } from '../../../shared/fields/local-date.ts'
import { countingReads } from '../../support/counting-reads.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { NOON } from '../../support/jobs.ts'
import {
  CLIENTS,
  CURRENCIES,
  OLD_CONTRACT,
  type Question,
  question,
  type Step,
  step,
} from '../../support/report-histories.ts'
import { type Model, type ModelVersion, modelChanges, modelLines, modelReport } from '../../support/report-model.ts'

const VIEWS = [contractsView, clientsView, closingView, firmView]
const createCommands = (database: Database, clock: () => number) =>
  createContractCommands({
    database,
    // As in processes that don't coordinate.
    clock: { begin: async () => undefined, stamp: clock },
    closedPeriods: createClosings(database, createReportClock(clock, database)).closedPeriods,
    timeZones: sharingRuns(async () => ({ dateAt: datesIn('UTC'), version: 0 })),
    findClientRefusal: async () => undefined,
  })

const createReports = (database: Database, clock: () => number, currencyAt = async (_moment: number) => '') =>
  createReportsService(database, createReportClock(clock, database), { currencyAt })

const context = () => toCommandContext({ actor: 'somebody', requestId: 'test', deadline: Date.now() + 60_000 })

/** A contracts service on a database, with a settable clock, and the model of everything written to it. */
async function reported(database: Database) {
  let now = NOON
  const model: Model = { contracts: new Map(), names: new Map(), currencies: [] }
  const currencies: { readonly since: number; readonly currency: string }[] = []
  const currencyAt = async (moment: number) => currencies.findLast(({ since }) => since <= moment)?.currency ?? ''
  const commands = createCommands(database, () => now)
  const latest = (): number => Math.max(NOON, ...times())
  const times = () => [...model.contracts.values()].flatMap((versions) => versions.map(({ at }) => at))
  let answered = 0
  const reports = createReports(database, () => latest() + 1_000 + answered++, currencyAt)

  async function create(all: Omit<ModelVersion, 'at'>): Promise<void> {
    const outcome = await commands.create({ ...all, serviceName: 'x' }, context())
    assert.ok(outcome.type === 'done')
    model.contracts.set(outcome.state.id, [{ ...all, at: outcome.state.createdAt }])
  }

  async function edit(id: number, changes: object): Promise<void> {
    const versions = model.contracts.get(id) ?? []
    const outcome = await commands.edit({ id, changes }, context())
    assert.ok(outcome.type === 'done')
    const { clientId, serviceType, serviceDate, serviceFee, taxPercent, updatedAt: at } = outcome.state
    if (outcome.changed) versions.push({ clientId, serviceType, serviceDate, serviceFee, taxPercent, at })
  }

  async function name(clientId: string, displayName: string, from?: number): Promise<void> {
    const names = model.names.get(clientId) ?? []
    const version = names.length + 1
    const since = from ?? Math.max(now, names.at(-1)?.since ?? 0)
    const data = {
      clientId,
      clientType: 'business' as const,
      businessId: clientId,
      displayName,
      sourceVersion: version,
      createdAt: NOON,
      updatedAt: since,
    }
    const before = (await database.view(clientsView).get(clientId))?.state
    const state = evolve(before, { type: 'ClientRegistered.v1', data, at: since + 7 })
    const outcome = await database.events.append({
      stream: { category: 'client', id: clientId },
      expectedVersion: version - 1,
      commitId: `${clientId} ${version}`,
      events: [{ type: 'ClientRegistered.v1', data }],
      metadata: { at: since + 7, by: 'topic', requestId: 'test' },
      rows: [{ view: clientsView.name, id: clientId, version, at: since + 7, state }],
    })
    assert.equal(outcome.type, 'appended')
    model.names.set(clientId, [...names, { since, name: displayName }])
  }

  function label(currency: string): void {
    const since = Math.max(now, currencies.at(-1)?.since ?? 0)
    currencies.push({ since, currency })
    model.currencies.push({ since, decimals: CURRENCIES.get(currency) ?? 2 })
  }

  return {
    model,
    reports,
    create,
    edit,
    name,
    label,
    latest,
    times,
    tick: (by: number) => {
      now += by
    },
  }
}

type Reported = Awaited<ReturnType<typeof reported>>

async function perform(mint: Reported, one: Step): Promise<void> {
  mint.tick(one.tick)
  if (one.type === 'create') await mint.create(one.fields)
  else if (one.type === 'name') await mint.name(one.client, one.name)
  else if (one.type === 'currency') mint.label(one.currency)
  else {
    // A few contracts are edited often, old ones and new ones.
    const numbers = [...mint.model.contracts.keys()]
    const id = one.which % 2 === 0 ? numbers[one.which] : numbers.at(-one.which)
    await mint.edit(id ?? 1, one.fields)
  }
}

async function assertSameAsModel(mint: Reported, one: Question): Promise<void> {
  const { model, reports } = mint
  const times = [...new Set(mint.times())]
    .flatMap((at) => [at - 1, at])
    .concat(0)
    .sort((a, b) => a - b)
  const [first, second] = [times[one.since % times.length] ?? 0, times[one.until % times.length] ?? 0]
  const [since, until] = [Math.min(first, second), Math.max(first, second)]
  const expected = modelReport(model, one.groupBy, one.filter, until)
  const report = { ...one.filter, groupBy: [...one.groupBy] }
  assert.deepEqual(await reports.reportContracts({ ...report, asOf: until, limit: 1_000, offset: 0 }), expected)
  const { limit, offset } = one.page
  const page = await reports.reportContracts({ ...report, asOf: until, limit, offset })
  assert.deepEqual(page, { ...expected, rows: expected.rows.slice(offset, offset + limit) })
  const { lines, ...linesSums } = modelLines(model, one.filter, until)
  const answer = await reports.listContractLines({ ...one.filter, asOf: until, limit, offset })
  assert.deepEqual(answer.sums, expected.sums)
  assert.deepEqual(
    { ...answer, lines: answer.lines.map(({ version: _, serviceName: __, ...line }) => line) },
    { ...linesSums, lines: lines.slice(offset, offset + limit) },
  )
  const changes = modelChanges(model, one.filter, { since, until })
  const found = await reports.listContractChanges({ ...one.filter, since, until, limit, offset })
  assert.deepEqual(found, { ...changes, changes: changes.changes.slice(offset, offset + limit) })
}

describeOnDatabases('reports', (open) => {
  it('match exact fractions over the whole history, at any moment and between any two', async () => {
    const { database } = await open(VIEWS)
    const mint = await reported(database)
    for (let n = 0; n < 4; n++) {
      mint.tick(10)
      await Promise.all(Array.from({ length: 1_200 }, () => mint.create(OLD_CONTRACT)))
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.array(question, { maxLength: 4 }), async (steps, all) => {
        for (const one of steps) await perform(mint, one)
        for (const one of all) await assertSameAsModel(mint, one)
      }),
      { numRuns: 25, endOnFailure: true },
    )
    await database.view(contractsView).rebuild()
    for (const one of fc.sample(question, 5)) await assertSameAsModel(mint, one)
  })

  it('include every acknowledged write, and never change for past moments', async () => {
    const { database } = await open(VIEWS)
    const commands = createCommands(database, Date.now)
    const reports = createReports(database, Date.now)
    let acknowledged = 0
    let writing = true
    const write = async (): Promise<void> => {
      while (writing) {
        const outcome = await commands.create({ ...OLD_CONTRACT, serviceName: 'x' }, context())
        assert.ok(outcome.type === 'done')
        acknowledged += 1
        const { id } = outcome.state
        await commands.edit({ id, changes: { serviceFee: String(id) } }, context())
      }
    }
    const writers = Array.from({ length: 16 }, write)
    const everything = { groupBy: [], limit: 0, offset: 0 }
    const answers = []
    for (let n = 0; n < 60; n++) {
      const before = acknowledged
      const answer = await reports.reportContracts(everything)
      assert.ok((answer.sums?.count ?? 0) >= before, `${answer.sums?.count} of ${before} acknowledged`)
      answers.push(answer)
    }
    writing = false
    await Promise.all(writers)
    for (const answer of answers) {
      assert.deepEqual(await reports.reportContracts({ ...everything, asOf: answer.asOf }), answer)
    }
  })

  it('are all answered, however many are requested concurrently, and so are lists', async () => {
    const { database } = await open(VIEWS)
    const mint = await reported(database)
    for (let n = 0; n < 3; n++) await mint.create(OLD_CONTRACT)
    const query = { where: {}, groupBy: [], asOf: NOON, limit: 1, offset: 0 }
    const { ledger, list } = database.view(contractsView)
    const pending = Promise.all(Array.from({ length: 40 }, () => ledger.sums(query)))
    const { total } = await list({ where: {}, search: 'x', limit: 1, offset: 0 })
    assert.equal(total, 3)
    assert.deepEqual(new Set((await pending).map(({ sums }) => sums.count)), new Set([3]))
  })

  it('read the past of a few contracts at a time, however many lines there are', async () => {
    const { database } = await open(VIEWS)
    const mint = await reported(database)
    for (let n = 0; n < 70; n++) await mint.create(OLD_CONTRACT)
    mint.tick(1)
    for (const id of mint.model.contracts.keys()) await mint.edit(id, { notes: 'x' })
    const { events, mostAtOnce } = countingReads(database.events)
    const reports = createReports({ ...database, events }, () => NOON + 1_000)
    const { lines } = await reports.listContractLines({ asOf: NOON, limit: 0, offset: 0 })
    assert.deepEqual(new Set(lines.map(({ version }) => version)), new Set([1]))
    assert.equal(lines.length, 70)
    assert.equal(mostAtOnce(), 64)
  })

  it('show a client’s corrected name even if the wrong one has a later time', async () => {
    const { database } = await open(VIEWS)
    const mint = await reported(database)
    const [clientId = ''] = CLIENTS
    await mint.create({ ...OLD_CONTRACT, clientId })
    await mint.name(clientId, 'False', NOON - 1_000)
    await mint.name(clientId, 'True', NOON - 3_000)
    const nameAsOf = async (asOf: number) => {
      const { rows } = await mint.reports.reportContracts({ groupBy: ['clientId'], asOf, limit: 10, offset: 0 })
      return rows[0]?.displayName
    }
    assert.equal(await nameAsOf(NOON), 'True')
    await mint.name(clientId, 'Renamed', NOON - 2_000)
    assert.equal(await nameAsOf(NOON), 'Renamed')
  })
})
