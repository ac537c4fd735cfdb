import assert from 'node:assert/strict'
import { contractsViews } from '../../../services/contracts/service.ts'
import type { CallContext } from '../../../shared/calls/call-context.ts'
import type { ErrorCode } from '../../../shared/calls/errors.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { ContractsService } from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import { closeThrough } from '../../support/close-through.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { wholeLog } from '../../support/jobs.ts'
import { aCall, aContract, aKeyedCall, aRetriedCall, assertRefused } from '../../support/requests.ts'
import { contractsOn } from '../../support/services.ts'
import { troubledNetwork } from '../../support/troubled-network.ts'

const JANUARY = { serviceDate: '2026-01-15' }

/** A request that is refused at first, and would succeed later. */
interface Refusal {
  readonly code: ErrorCode
  /** Creates the reason for the refusal. */
  prepare(on: Database): Promise<unknown>
  send(contracts: ContractsService, context: CallContext): Promise<unknown>
  /** Removes that reason. */
  allow(on: Database): Promise<unknown>
}

const edit = (on: Database, notes: string) => contractsOn(on).editContract({ id: 1, notes }, aCall())

const REFUSALS: Readonly<Record<string, Refusal>> = {
  'a creation in a closed month': {
    code: 'period_closed',
    prepare: (on) => closeThrough(on, '2026-01-31'),
    send: (contracts, context) => contracts.createContract(aContract(JANUARY), context),
    allow: (on) => closeThrough(on, null),
  },
  'an edit in a closed month': {
    code: 'period_closed',
    prepare: (on) => closeThrough(on, '2026-01-31'),
    send: (contracts, context) => contracts.editContract({ id: 1, notes: 'late' }, context),
    allow: (on) => closeThrough(on, null),
  },
  'an edit at another version': {
    code: 'precondition_failed',
    prepare: async () => undefined,
    send: (contracts, context) =>
      contracts.editContract({ id: 1, notes: 'late', expectedVersions: { versions: [2] } }, context),
    allow: (on) => edit(on, 'of somebody else'),
  },
  'an edit of a contract that does not exist': {
    code: 'not_found',
    prepare: async () => undefined,
    send: (contracts, context) => contracts.editContract({ id: 2, notes: 'late' }, context),
    allow: (on) => contractsOn(on).createContract(aContract(), aCall()),
  },
}

/** A gate at which callers wait until it is opened. */
function newGate() {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  return {
    reached: reached.promise,
    open: opened.resolve,
    async pass(): Promise<void> {
      reached.resolve()
      await opened.promise
    },
  }
}

describeOnDatabases('refusals', (open) => {
  async function withContract() {
    const under = await open(contractsViews)
    const { database } = under
    const contracts = contractsOn(database)
    await contracts.createContract(aContract(JANUARY), aCall())
    return { database, contracts, other: await under.beside() }
  }

  const written = async (database: Database) =>
    (await wholeLog(database)).filter(({ stream }) => stream.category === 'contract').length

  for (const [what, { code, prepare, send, allow }] of Object.entries(REFUSALS)) {
    for (const [kind, first] of [
      ['', aCall({ commitId: 'the same' })],
      [' with a key', aKeyedCall('k', 'the same', { refusals: 0 })],
    ] as const) {
      it(`keep earlier attempts of ${what}${kind} from succeeding later`, async () => {
        const { database, other } = await withContract()
        await prepare(other)
        const again = { ...first, isNewCommit: false }
        await assertRefused(send(contractsOn(other), again), code)
        await allow(other)
        const before = await written(database)
        await assertRefused(send(contractsOn(database), first), 'unavailable')
        assert.equal(await written(database), before)
      })
    }

    it(`leave the key of ${what} free for later requests, which are remembered`, async () => {
      const { database, contracts, other } = await withContract()
      const keyed = aKeyedCall('k', 'the same')
      await prepare(other)
      for (const process of [contracts, contractsOn(other), contracts]) await assertRefused(send(process, keyed), code)
      await allow(other)
      const before = await written(database)
      const answer = await send(contracts, keyed)
      assert.deepEqual(await send(contractsOn(other), keyed), { ...(answer as object), replayed: true })
      assert.equal(await written(database), before + 1)
      await assertRefused(send(contracts, aKeyedCall('k', 'another')), 'idempotency_key_reused')
    })

    it(`are the answer to every copy of ${what} sent concurrently with one key, and none is written`, async () => {
      const { database, contracts, other } = await withContract()
      await prepare(other)
      const copies = Array.from({ length: 20 }, (_, index) =>
        assertRefused(send(index % 2 ? contracts : contractsOn(other), aKeyedCall('k', 'the same')), code),
      )
      await Promise.all(copies)
      await allow(other)
      const after = await written(database)
      await send(contracts, aKeyedCall('k', 'the same'))
      assert.equal(await written(database), after + 1)
    })
  }

  for (const [kind, first] of [
    ['', aCall({ commitId: 'the same' })],
    [' with a key from a gateway', aKeyedCall('k', 'the same', { refusals: 0 })],
    [' with a key from a caller that does not count refusals', aKeyedCall('k', 'the same')],
  ] as const) {
    /** Freezes the creation of a contract in January after its decision, closes January, and has a retry refused. */
    async function freezeAndRefuse() {
      const { database, other } = await withContract()
      const gate = newGate()
      const append: Database['events']['append'] = async (commit) => {
        await gate.pass()
        return await database.events.append({ ...commit, dependsOn: undefined })
      }
      const frozen = contractsOn({ ...database, events: { ...database.events, append } })
      const attempt = frozen.createContract(aContract(JANUARY), first)
      attempt.catch(() => {})
      await gate.reached
      await closeThrough(other, '2026-01-31')
      const again = { ...first, isNewCommit: false }
      await assertRefused(contractsOn(other).createContract(aContract(JANUARY), again), 'period_closed')
      return { database, other, attempt, thaw: gate.open }
    }

    it(`keep an attempt${kind} that froze before its append from being written later`, async () => {
      const { database, other, attempt, thaw } = await freezeAndRefuse()
      await closeThrough(other, null)
      const before = await written(database)
      thaw()
      await assertRefused(attempt, 'unavailable')
      assert.equal(await written(database), before)
    })

    it(`are the answer to an attempt${kind} that froze before its append, as long as their reason applies`, async () => {
      const { database, attempt, thaw } = await freezeAndRefuse()
      const before = await written(database)
      thaw()
      await assertRefused(attempt, 'period_closed')
      assert.equal(await written(database), before)
    })
  }

  it('of a key leave it free after they have ended one of its attempts', async () => {
    const { database, contracts, other } = await withContract()
    const keyed = aKeyedCall('k', 'the same')
    const gate = newGate()
    const findCommit: Database['events']['findCommit'] = async (commitId) => {
      const found = await database.events.findCommit(commitId)
      await gate.pass()
      return found
    }
    const frozen = contractsOn({ ...database, events: { ...database.events, findCommit } })
    const attempt = frozen.editContract({ id: 1, notes: 'late' }, keyed)
    attempt.catch(() => {})
    await gate.reached
    await closeThrough(other, '2026-01-31')
    await assertRefused(contractsOn(other).editContract({ id: 1, notes: 'late' }, keyed), 'period_closed')
    await closeThrough(other, null)
    gate.open()
    await assertRefused(attempt, 'unavailable')
    const { contract } = await contracts.editContract({ id: 1, notes: 'late' }, keyed)
    assert.equal(contract?.version, 2)
  })

  it('keep an earlier attempt that waits for its turn from being written', async () => {
    const { database, other } = await withContract()
    const keyed = aKeyedCall('k', 'the same')
    const gate = newGate()
    const found = Promise.withResolvers<void>()
    const append: Database['events']['append'] = async (commit) => {
      await gate.pass()
      return await database.events.append(commit)
    }
    const findCommit: Database['events']['findCommit'] = async (commitId) => {
      const receipt = await database.events.findCommit(commitId)
      found.resolve()
      return receipt
    }
    const slow = contractsOn({ ...database, events: { ...database.events, append, findCommit } })
    const ahead = slow.editContract({ id: 1, notes: 'ahead' }, aCall())
    await gate.reached
    const attempt = slow.editContract({ id: 1, notes: 'late' }, keyed)
    attempt.catch(() => {})
    await found.promise
    await closeThrough(other, '2026-01-31')
    await assertRefused(contractsOn(other).editContract({ id: 1, notes: 'late' }, keyed), 'period_closed')
    await closeThrough(other, null)
    gate.open()
    await ahead
    await assertRefused(attempt, 'unavailable')
  })

  it('are not reported while an earlier attempt may have been written', async () => {
    const { database, other } = await withContract()
    const { trouble, between } = troubledNetwork()
    const retried = aRetriedCall({ deadline: Date.now() + 500 })
    const process = contractsOn(between(database))
    await closeThrough(other, '2026-01-31')
    trouble.losesRequests = 1_000
    await assertRefused(process.createContract(aContract(JANUARY), retried), 'outcome_unknown')
  })

  it('of first attempts without a key write nothing', async () => {
    const { database, contracts, other } = await withContract()
    await closeThrough(other, '2026-01-31')
    const head = await database.events.head()
    await assertRefused(contracts.createContract(aContract(JANUARY), aCall()), 'period_closed')
    await assertRefused(contracts.createContract(aContract(JANUARY)), 'period_closed')
    await assertRefused(contracts.editContract({ id: 9, notes: 'x' }, aCall()), 'not_found')
    assert.equal(await database.events.head(), head)
  })

  it('give way to what an earlier attempt has written', async () => {
    const { contracts, other } = await withContract()
    const first = aCall()
    const { contract } = await contracts.createContract(aContract(JANUARY), first)
    await closeThrough(other, '2026-01-31')
    const again = await contractsOn(other).createContract(aContract(JANUARY), { ...first, isNewCommit: false })
    assert.deepEqual(again, { contract, replayed: true })
  })

  it('apply to an edit that changes nothing, too: its earlier attempt undoes no later edit', async () => {
    const { database, contracts, other } = await withContract()
    const first = aCall()
    const send = (isNewCommit: boolean) => contracts.editContract({ id: 1, notes: 'x' }, { ...first, isNewCommit })
    await edit(other, 'x')
    assert.equal((await send(false)).contract?.version, 2)
    await edit(other, 'y')
    await send(true)
    assert.equal((await contractsOn(database).getContract({ id: 1 })).contract?.notes, 'y')
  })
})
