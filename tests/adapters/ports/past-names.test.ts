import assert from 'node:assert/strict'
import fc from 'fast-check'
import { businessesViews, createBusinessesApp } from '../../../services/businesses/service.ts'
import { clientsView } from '../../../services/contracts/client/view.ts'
import { contractsViews, createContractsApp } from '../../../services/contracts/service.ts'
import { CodedError } from '../../../shared/calls/errors.ts'
import { BEGINNING } from '../../../shared/event-sourcing/event.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { believe } from '../../support/forged-messages.ts'
import { NOON } from '../../support/jobs.ts'
import { quietLogger } from '../../support/quiet-logger.ts'
import { aBusiness, aCall, aContract, present } from '../../support/requests.ts'
import { publishedBy } from '../../support/services.ts'

describeOnDatabases('client names that reports show for past moments', (open) => {
  /** Two contracts processes on one database, which follow the businesses of another. */
  async function startMint() {
    const logger = quietLogger()
    let now = NOON
    let history: 'answers' | 'is away' | 'has gaps' = 'answers'
    const clock = () => now
    const businessesData = (await open(businessesViews)).database
    const under = await open(contractsViews)
    const { businesses, relay: businessesRelay } = createBusinessesApp({
      database: businessesData,
      clock,
      logger,
    })
    const wrapped = {
      ...businesses,
      async getBusiness(...args: Parameters<typeof businesses.getBusiness>) {
        const [{ version }] = args
        if (history === 'is away' && version !== undefined) throw new CodedError('unavailable', 'away')
        if (history === 'has gaps' && version === 1) throw new CodedError('not_found', 'none')
        return await businesses.getBusiness(...args)
      },
    }
    const appOn = (database: Database) =>
      createContractsApp({ database, businesses: wrapped, businessesRelay, clock, requireKnownClient: false, logger })
    const [app, other] = [appOn(under.database), appOn(await under.beside())]

    /** Creates a business with a contract. */
    async function newBusiness() {
      now += 1
      const { id, clientId } = present((await businesses.createBusiness(aBusiness({ operatedAs: 'v1' }))).business)
      await app.contracts.createContract(aContract({ clientId }), aCall())
      const names = [{ name: 'v1', since: now }]
      return {
        /** `ticks`: the milliseconds between each version and the previous one. */
        async rename(...ticks: readonly number[]): Promise<void> {
          for (const tick of ticks) {
            now += tick
            const name = `v${names.length + 1}`
            await businesses.editBusiness({ id, operatedAs: name })
            names.push({ name, since: now })
          }
        },
        messages: async () => (await publishedBy({ businessesData })).filter(({ key }) => key === id),
        /** A report as of each version's time must show the name at that time, and the Client the latest name. */
        async assertComplete(): Promise<void> {
          now += 1_000
          const shown: unknown[] = []
          for (const { since: asOf } of names) {
            const query = { clientId, groupBy: ['clientId'], asOf, limit: 1, offset: 0 }
            shown.push((await app.reports.reportContracts(query)).rows[0]?.displayName)
          }
          const then = names.map(({ since }) => names.findLast((other) => other.since <= since)?.name)
          assert.deepEqual(shown, then)
          const { clients } = await app.clients.listClients({ search: '', limit: 100, offset: 0 })
          const client = clients.find((one) => one.clientId === clientId)
          assert.deepEqual([client?.displayName, client?.version], [names.at(-1)?.name, names.length])
        },
      }
    }

    return {
      app,
      other,
      database: under.database,
      newBusiness,
      setHistory: (now: typeof history) => {
        history = now
      },
    }
  }

  it('are complete although an older message is redelivered while the client is behind', async () => {
    const mint = await startMint()
    const business = await mint.newBusiness()
    await business.rename(10, 10)
    await mint.app.handleBusinessEvents(await business.messages())
    await business.rename(10, 10, 0, 10, 10)
    const messages = await business.messages()
    await mint.app.handleBusinessEvents(messages.slice(1, 2))
    await mint.app.handleBusinessEvents(messages)
    await business.assertComplete()
  })

  it('are complete although all but the last message were lost, however many there were', async () => {
    const mint = await startMint()
    const business = await mint.newBusiness()
    await business.rename(...Array.from({ length: 205 }, (_, index) => index % 3))
    await mint.app.handleBusinessEvents((await business.messages()).slice(-1))
    await business.assertComplete()
  })

  it('are completed by a replay if an earlier version skipped some, and are the same after a rebuild', async () => {
    const mint = await startMint()
    const business = await mint.newBusiness()
    await business.rename(10, 0, 10, 0, 0, 10)
    const messages = await business.messages()
    await believe(
      mint.database,
      [1, 3, 6].map((index) => present(messages[index])),
    )
    await assert.rejects(business.assertComplete())
    await mint.app.handleBusinessEvents(messages)
    await business.assertComplete()
    await mint.database.view(clientsView).rebuild()
    await business.assertComplete()
    const head = await mint.database.events.head()
    await mint.app.handleBusinessEvents(messages)
    assert.equal(await mint.database.events.head(), head, 'another replay changes nothing')
  })

  for (const trouble of ['is away', 'has gaps'] as const) {
    it(`wait while the history of the businesses ${trouble}: no message is skipped or set aside`, async () => {
      const mint = await startMint()
      const business = await mint.newBusiness()
      await business.rename(10, 10)
      mint.setHistory(trouble)
      const last = (await business.messages()).slice(-1)
      await assert.rejects(mint.app.handleBusinessEvents(last), { code: 'unavailable' })
      const log = { after: BEGINNING, upTo: await mint.database.events.head() }
      assert.equal(await mint.database.events.countIn(['client'], log), 0)
      assert.equal(await mint.database.deadLetters.count(), 0)
      mint.setHistory('answers')
      await mint.app.handleBusinessEvents(last)
      await business.assertComplete()
    })
  }

  it('are complete with two consumers, whatever was shuffled, repeated, lost or skipped earlier', async () => {
    const mint = await startMint()
    const subset = fc.array(fc.nat(20), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(
        fc.record({ ticks: fc.array(fc.nat(2), { maxLength: 8 }), believed: subset, first: subset, second: subset }),
        async ({ ticks, believed, first, second }) => {
          const business = await mint.newBusiness()
          await business.rename(...ticks)
          const messages = await business.messages()
          const chosen = (indexes: readonly number[]) => indexes.flatMap((index) => messages[index] ?? [])
          await believe(mint.database, chosen(believed))
          const deliver = async ({ handleBusinessEvents }: typeof mint.app, indexes: readonly number[]) => {
            for (const message of [...chosen(indexes), ...messages.slice(-1)]) await handleBusinessEvents([message])
          }
          await Promise.all([deliver(mint.app, first), deliver(mint.other, second)])
          if (believed.length > 0) await mint.app.handleBusinessEvents(messages)
          await business.assertComplete()
        },
      ),
      { numRuns: 50 },
    )
  }).timeout(120_000)
})
