import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createFirm } from '../../services/contracts/firm/firm.ts'
import { createReportClock } from '../../services/contracts/report/report-clock.ts'
import { contractsViews } from '../../services/contracts/service.ts'
import { toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import { BEGINNING } from '../../shared/event-sourcing/event.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { datesIn } from '../../shared/fields/local-date.ts'
import { describeOnDatabases } from '../support/database-fixtures.ts'
import { aCall, aContract } from '../support/requests.ts'
import { contractsAppOn } from '../support/services.ts'

describeOnDatabases('The firm’s record over gRPC', (open) => {
  it('can be read at each of its versions, whatever the moment, but at no other', async () => {
    const { firm } = contractsAppOn((await open(contractsViews)).database)
    for (const name of ['First', 'Second']) await firm.editFirm({ name }, aCall())
    const names = [1, 2].map(async (version) => (await firm.getFirm({ version, asOf: 0 })).firm?.name)
    assert.deepEqual(await Promise.all(names), ['First', 'Second'])
    await assert.rejects(firm.getFirm({ version: 3 }), { code: 'not_found' })
  })
})

describeOnDatabases('The firm’s record edited by another process', (open) => {
  function processOn(database: Database) {
    const { firm, contracts, reports } = contractsAppOn(database)
    return {
      edit: (changes: object) => firm.editFirm(changes, aCall()),
      create: async (fields: object) => {
        const { contract } = await contracts.createContract({ ...aContract(), ...fields }, aCall())
        return contract
      },
      report: async () => await reports.reportContracts({ groupBy: [], limit: 1, offset: 0 }),
      reportAt: async (asOf: number) => await reports.reportContracts({ groupBy: [], asOf, limit: 1, offset: 0 }),
    }
  }

  it('applies to undated contracts and to reports as soon as the edit is acknowledged', async () => {
    const under = await open(contractsViews)
    const [one, other] = [processOn(under.database), processOn(await under.beside())]
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
      await one.edit({ timeZone })
      const contract = await other.create({ serviceDate: undefined, serviceFee: '0.5', taxPercent: '0' })
      assert.equal(contract?.serviceDate, datesIn(timeZone)(contract?.createdAt ?? 0))
    }
    const before = await other.report()
    assert.equal(before.sums?.billed, '1.5')
    await one.edit({ currency: 'JPY' })
    for (const { report, reportAt } of [other, one]) {
      assert.equal((await report()).sums?.billed, '3')
      assert.deepEqual(await reportAt(before.asOf), before)
    }
  })

  it('can’t change currency once the first contract exists, however the two race', async () => {
    const under = await open(contractsViews)
    const [one, other] = [processOn(under.database), processOn(await under.beside())]
    await one.edit({ currency: 'EUR' })
    const refused = (error: { code?: string }) => error.code ?? String(error)
    const edits = ['JPY', 'KWD', 'CLF'].map((currency) => one.edit({ currency }).then(() => 'done', refused))
    const created = other.create({})
    for (const outcome of await Promise.all(edits)) assert.match(outcome, /^(done|currency_fixed)$/)
    await created
    const log = await under.database.events.readAll(BEGINNING, 100)
    const order = log.map(({ type }) => type).filter((type) => /^(Firm|Contract)/.test(type))
    assert.equal(order.indexOf('ContractCreated.v1'), order.length - 1, order.join())
  })

  it('blocks no report while edits that change nothing wait for the database', async () => {
    const { database } = await open(contractsViews)
    const confirmation = Promise.withResolvers<readonly number[]>()
    const confirmedVersions = () => confirmation.promise
    const process = processOn({ ...database, events: { ...database.events, confirmedVersions } })
    const edits = [process.edit({}), process.edit({})]
    assert.equal((await process.report()).sums?.count, 0)
    confirmation.resolve([0])
    await Promise.all(edits)
  })

  it('has a single currency at each moment given in an answer, however edits and answers race', async () => {
    const { database } = await open(contractsViews)
    // With this stub, only the edit itself makes an answer wait for it.
    const storing = { read: async () => new Map(), raise: async () => undefined }
    const clock = createReportClock(Date.now, { ...database, latestTimes: () => storing })
    const firm = createFirm(database, clock)
    const given: { readonly moment: number; readonly currency: string }[] = []
    async function answer(): Promise<void> {
      const moment = await clock.now()
      given.push({ moment, currency: await firm.currencyAt(moment) })
    }
    for (let round = 0; round < 10; round++) {
      const currency = round % 2 === 0 ? 'EUR' : 'JPY'
      const edit = firm.edit({ currency }, undefined, toCommandContext({ actor: 'somebody', requestId: 'test' }))
      const racing: Promise<unknown>[] = [edit]
      for (let turn = 0; turn < 10; turn++) {
        racing.push(answer())
        await nextTurn()
      }
      await Promise.all(racing)
    }
    for (const { moment, currency } of given) assert.equal(await firm.currencyAt(moment), currency)
  })
})
