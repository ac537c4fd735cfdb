import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { contractsViews } from '../../../services/contracts/service.ts'
import { CodedError } from '../../../shared/calls/errors.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { ContractSums, ReportContractsResponse } from '../../../shared/gen/mint/contracts/v1/reports.ts'
import { atEnd } from '../../support/cleanup.ts'
import { type DatabaseUnderTest, describeOnDatabases } from '../../support/database-fixtures.ts'
import { emptyServices } from '../../support/empty-services.ts'
import { startGateway } from '../../support/gateway-fixture.ts'
import { aCall, aContract, present } from '../../support/requests.ts'
import { contractsAppOn } from '../../support/services.ts'
import { waitFor } from '../../support/wait-for.ts'

const HOUR = 3_600_000
const EVERYTHING = { groupBy: [], limit: 0, offset: 0 }

/** A contracts process that can be restarted, and whose clock is `clock.ahead` milliseconds ahead. */
function newProcess(database: Database) {
  const clock = { ahead: 0 }
  const start = (on: Database) => contractsAppOn(on, () => Date.now() + clock.ahead)
  const started = {
    clock,
    app: start(database),
    restart(on = database): void {
      started.app = start(on)
    },
  }
  return started
}

type Process = ReturnType<typeof newProcess>

/** Creates a contract; returns its time. */
const create = async ({ app }: Process): Promise<number> =>
  present((await app.contracts.createContract(aContract(), aCall())).contract).createdAt

const report = ({ app }: Process, asOf?: number): Promise<ReportContractsResponse> =>
  app.reports.reportContracts({ ...EVERYTHING, asOf })

const which = fc.nat(1)
const step = fc.oneof(
  fc.record({ type: fc.constant('create' as const), which }),
  fc.record({ type: fc.constant('edit' as const), which, fee: fc.nat(1_000) }),
  fc.record({ type: fc.constant('report' as const), which }),
  /** As of a moment `later` than the process's own time, or than the latest write. */
  fc.record({
    type: fc.constant('asOf' as const),
    which,
    from: fc.boolean(),
    later: fc.constantFrom(-5, -1, 0, 1, 20),
  }),
  fc.record({ type: fc.constant('changes' as const), which, since: fc.nat() }),
  fc.record({
    type: fc.constant('clock' as const),
    which,
    ahead: fc.constantFrom(0, 30, 1_000, HOUR, -30, -1_000, -HOUR),
  }),
  fc.record({ type: fc.constant('restart' as const), which }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** Runs steps on processes with one log, and collects every report they return. */
function reportsOf(processes: readonly Process[]) {
  const given: ReportContractsResponse[] = []
  let latest = 0
  let contracts = 0

  /** Once one process has answered, all must give this answer: a report's pages may come from several. */
  async function give(answer: ReportContractsResponse): Promise<void> {
    given.push(answer)
    for (const other of processes) assert.deepEqual(await report(other, answer.asOf), answer)
  }

  async function assertDiffer(process: Process, since: ReportContractsResponse): Promise<void> {
    const changes = await process.app.reports.listContractChanges({ since: since.asOf, limit: 1, offset: 0 })
    const until = await report(process, changes.until)
    await give(until)
    assert.deepEqual(plus(present(since.sums), present(changes.difference)), plus(present(until.sums)))
  }

  return {
    given,
    async perform(one: Step): Promise<void> {
      const process = processes[one.which % processes.length] as Process
      const { contracts: service } = process.app
      if (one.type === 'create') {
        latest = Math.max(latest, await create(process))
        contracts += 1
      } else if (one.type === 'edit' && contracts > 0) {
        const { contract } = await service.editContract({ id: 1, serviceFee: String(one.fee) }, aCall())
        latest = Math.max(latest, present(contract).updatedAt)
      } else if (one.type === 'report') await give(await report(process))
      else if (one.type === 'asOf') {
        const moment = Math.max(0, (one.from ? Date.now() + process.clock.ahead : latest) + one.later)
        const answer = await report(process, moment).catch(refusedAsFuture)
        if (answer) await give(answer)
      } else if (one.type === 'changes') {
        const since = given[one.since % given.length]
        if (since) await assertDiffer(process, since)
      } else if (one.type === 'clock') process.clock.ahead = one.ahead
      else if (one.type === 'restart') process.restart()
    },
    async assertUnchanged(): Promise<void> {
      for (const process of processes) {
        for (const answer of given) assert.deepEqual(await report(process, answer.asOf), answer)
      }
    },
  }
}

function refusedAsFuture(error: unknown): undefined {
  assert.ok(error instanceof CodedError && error.code === 'validation_failed', String(error))
}

/** Adds up sums, whose amounts are small and have at most four decimals. */
function plus(...all: readonly ContractSums[]) {
  const add = (of: (sums: ContractSums) => string | number) =>
    all.reduce((sum, one) => sum + Math.round(Number(of(one)) * 1e6), 0)
  return [add(({ count }) => count), add(({ serviceFee }) => serviceFee), add((one) => one.totalFeeWithTax)]
}

describeOnDatabases('the moments of reports', (open) => {
  const twoProcesses = async (under: DatabaseUnderTest) =>
    [newProcess(under.database), newProcess(await under.beside())] as const

  it('keep their answers, whatever clocks do, even across restarts', async () => {
    const reports = reportsOf(await twoProcesses(await open(contractsViews)))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        for (const step of steps) await reports.perform(step)
        await reports.assertUnchanged()
        reports.given.length = 0
      }),
      { numRuns: 25, endOnFailure: true },
    )
  })

  it('precede writes after a restart, even if the clock was ahead', async () => {
    const under = await open(contractsViews)
    const process = newProcess(under.database)
    process.clock.ahead = HOUR
    await create(process)
    const answers = [await report(process)]
    process.clock.ahead = 0
    process.restart(await under.reopen(contractsViews))
    answers.push(await report(process))
    await create(process)
    for (const answer of answers) assert.deepEqual(await report(process, answer.asOf), answer)
  })

  it('precede writes after a restart, even if they were later than every write', async () => {
    const under = await open(contractsViews)
    const process = newProcess(under.database)
    process.clock.ahead = HOUR
    const empty = await report(process)
    process.clock.ahead = 0
    process.restart(await under.reopen(contractsViews))
    assert.ok((await create(process)) > empty.asOf)
    assert.deepEqual(await report(process, empty.asOf), empty)
  })

  it('soon precede the writes of every process', async () => {
    const [one, other] = await twoProcesses(await open(contractsViews))
    await create(other)
    one.clock.ahead = HOUR
    const { asOf } = await report(one)
    await waitFor(async () => (await create(other)) > asOf, { what: 'a write after the report' })
  })

  it('are accepted by every process once one has answered, however far its clock is behind', async () => {
    const [one, other] = await twoProcesses(await open(contractsViews))
    await create(other)
    one.clock.ahead = HOUR
    const answer = await report(one)
    assert.deepEqual(await report(other, answer.asOf), answer)
    await assert.rejects(report(other, answer.asOf + 1), { code: 'validation_failed' })
    assert.ok((await create(other)) > answer.asOf)
  })

  it('can be that of a closing, since which exactly the later writes have changed something', async () => {
    const [one, other] = await twoProcesses(await open(contractsViews))
    one.clock.ahead = HOUR
    for (const [writing, closing] of [
      [one, other],
      [other, one],
    ] as const) {
      await create(writing)
      const set = await closing.app.closing.setClosing({ closedThrough: '2020-12-31', reason: randomUUID() }, aCall())
      const later = await create(writing)
      for (const { app } of [one, other]) {
        const since = present(set.closing).at
        const { changes } = await app.reports.listContractChanges({ since, limit: 0, offset: 0 })
        assert.deepEqual(
          changes.map(({ at }) => at),
          [later],
        )
      }
      one.clock.ahead += HOUR
    }
  })

  it('let processes with different clocks serve one complete file of several pages', async () => {
    const [one, other] = await twoProcesses(await open(contractsViews))
    const clientIds = Array.from({ length: 1_001 }, () => randomUUID())
    await Promise.all(
      clientIds.map((clientId) => one.app.contracts.createContract({ ...aContract(), clientId }, aCall())),
    )
    one.clock.ahead = HOUR
    other.clock.ahead = -HOUR
    const called: Process[] = []
    const reportContracts: Process['app']['reports']['reportContracts'] = (request, context) => {
      const process = called.length % 2 === 0 ? one : other
      called.push(process)
      return process.app.reports.reportContracts(request, context)
    }
    const gateway = await startGateway({ ...emptyServices, reports: { ...one.app.reports, reportContracts } })
    atEnd(() => gateway.stop())
    const { text } = await gateway.call('GET', '/reports/contracts.csv?groupBy=clientId')
    const ids = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0])
    assert.deepEqual([ids.sort(), called], [clientIds.sort(), [one, other]])
  })
})
