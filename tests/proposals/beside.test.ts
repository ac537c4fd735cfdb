import assert from 'node:assert/strict'
import { proposalsView } from '../../services/contracts/proposal/view.ts'
import { contractsViews } from '../../services/contracts/service.ts'
import type { CallContext } from '../../shared/calls/call-context.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import { beforeNextAppend } from '../support/before-next-append.ts'
import { describeOnDatabases } from '../support/database-fixtures.ts'
import { aCall, aContract, aKeyedCall, aRetriedCall, assertRefused, present } from '../support/requests.ts'
import { contractsAppOn } from '../support/services.ts'

const DAY = 24 * 60 * 60 * 1000

/** A database on which the proposals' own streams can't be written while `isCut()`. */
function cutFromProposals(database: Database, isCut: () => boolean): Database {
  const append: Database['events']['append'] = async (commit) => {
    if (isCut() && commit.stream.category === proposalsView.category) throw new StoreUnavailable('cut')
    return await database.events.append(commit)
  }
  return { ...database, events: { ...database.events, append } }
}

describeOnDatabases('Proposals decided on by several processes', (open) => {
  function processOn(database: Database, clock = Date.now) {
    const app = contractsAppOn(database, clock)
    const { proposals, contracts } = app
    const statusOf = async (id: string) => present((await proposals.getProposal({ id })).proposal).status
    return {
      ...app,
      statusOf,
      async propose(change: { contractId?: number; contractVersion?: number } = {}, call = aCall({ actor: 'agent' })) {
        const fields = change.contractId === undefined ? aContract() : { notes: 'Proposed.' }
        const action = change.contractId === undefined ? 'create' : 'edit'
        const request = { ...change, action, fields, reason: 'x' }
        return present((await proposals.createProposal(request, call)).proposal).id
      },
      async create() {
        return present((await contracts.createContract(aContract(), aCall())).contract).id
      },
      accept: (id: string, call = aCall()) => proposals.acceptProposal({ id }, call),
      decline: (id: string) => proposals.declineProposal({ id, reason: 'y' }, aCall()),
      listed: async (status?: string) => {
        const page = await proposals.listProposals({ status, limit: 0, offset: 0 })
        assert.equal(page.total, page.proposals.length)
        return page.proposals.map(({ id, status }) => ({ id, status }))
      },
      count: async () => {
        return (await contracts.listContracts({ search: '', limit: 1, offset: 0 })).total
      },
    }
  }

  async function together() {
    const under = await open(contractsViews)
    return [processOn(under.database), processOn(await under.beside())] as const
  }

  it('are limited to 2,000 open or outdated ones per caller, whatever others propose, not counting decided ones', async () => {
    const [one, other] = await together()
    const contractId = await one.create()
    const propose = (call?: CallContext) => one.propose({ contractId, contractVersion: 1 }, call)
    const keyed = () => aKeyedCall('first', 'proposal', { actor: 'agent' })
    const first = await propose(keyed())
    await propose()
    await one.contracts.editContract({ id: contractId, notes: 'Edited.' }, aCall())
    const last = await one.propose()
    for (let left = 1_997; left > 0; left -= 100) {
      await Promise.all(Array.from({ length: Math.min(left, 100) }, () => one.propose()))
    }
    await assertRefused(one.propose(), 'too_many_proposals')
    await assertRefused(other.propose(), 'too_many_proposals')
    assert.equal(await propose(keyed()), first)
    await one.propose({}, aCall({ actor: 'another agent' }))
    await other.decline(last)
    await one.propose()
    await assertRefused(other.propose(), 'too_many_proposals')
    const counted = async (status: string) =>
      (await other.proposals.listProposals({ status, limit: 1, offset: 0 })).total
    assert.deepEqual([await counted('open'), await counted('outdated')], [1_999, 2])
  })

  it('create a contract only once, and report which decision was first', async () => {
    const [one, other] = await together()
    for (let round = 1; round <= 5; round++) {
      const id = await one.propose()
      const answers = await Promise.allSettled([one.accept(id), other.accept(id), one.decline(id), other.decline(id)])
      const winners = answers.filter(({ status }) => status === 'fulfilled')
      assert.equal(winners.length, 1, JSON.stringify(answers))
      const accepted = answers.slice(0, 2).some(({ status }) => status === 'fulfilled')
      for (const { statusOf } of [one, other]) assert.equal(await statusOf(id), accepted ? 'accepted' : 'declined')
      for (const { accept } of [one, other]) await assertRefused(accept(id), 'proposal_ended')
      const made = (await one.listed('accepted')).length
      for (const { count } of [one, other]) assert.equal(await count(), made)
    }
  })

  it('edit a contract only once, and report to concurrent callers that they were already accepted', async () => {
    const [one, other] = await together()
    const contractId = await one.create()
    for (let round = 1; round <= 3; round++) {
      const { contract } = await one.contracts.editContract({ id: contractId, notes: `${round}` }, aCall())
      const contractVersion = present(contract).version
      const id = await one.propose({ contractId, contractVersion })
      const answers = await Promise.allSettled([one.accept(id), other.accept(id), one.accept(id)])
      const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : []))
      assert.equal(refusals.length, 2)
      for (const refusal of refusals) assert.match(refusal, /can no longer be decided on\. It was accepted/)
      const { total } = await other.contracts.listContractHistory({ id: contractId, limit: 1, offset: 0 })
      assert.equal(total, contractVersion + 1)
    }
  })

  it('don’t overwrite a concurrent edit of the contract, but become outdated', async () => {
    const { database } = await open(contractsViews)
    const other = processOn(database)
    const contractId = await other.create()
    const id = await other.propose({ contractId, contractVersion: 1 })
    const edit = () => other.contracts.editContract({ id: contractId, notes: 'Meanwhile.' }, aCall())
    const one = processOn(beforeNextAppend(database, edit))
    await assertRefused(one.accept(id), 'proposal_ended')
    assert.equal(await one.statusOf(id), 'outdated')
    const { contract } = await one.contracts.getContract({ id: contractId })
    assert.deepEqual([contract?.notes, contract?.version], ['Meanwhile.', 2])
  })

  it('are accepted by the contract’s commit alone, even if the process dies right after it', async () => {
    const under = await open(contractsViews)
    let isCut = false
    const dying = processOn(cutFromProposals(under.database, () => isCut))
    const other = processOn(await under.beside())
    const contractId = await other.create()
    const ids = [await dying.propose(), await dying.propose({ contractId, contractVersion: 1 })]
    isCut = true
    for (const id of ids) assert.equal((await dying.accept(id)).proposal?.status, 'accepted')
    const accepted = ids.toReversed().map((id) => ({ id, status: 'accepted' }))
    assert.deepEqual(await dying.listed(), accepted)
    assert.deepEqual([await other.listed('open'), await other.listed('outdated')], [[], []])
    assert.deepEqual([await other.listed('accepted'), await other.listed()], [accepted, accepted])
    for (const id of ids) await assertRefused(other.accept(id), 'proposal_ended')
    assert.equal(await other.count(), 2)
  })

  it('give a retry the same answer as the first attempt, and write nothing more', async () => {
    const [one, other] = await together()
    const id = await one.propose()
    const call = aRetriedCall()
    const first = await one.accept(id, call)
    assert.deepEqual(await other.accept(id, call), { ...first, replayed: true })
    assert.equal(await one.count(), 1)
  })

  it('can be accepted even if they change nothing, and count as decided', async () => {
    const [one, other] = await together()
    const contractId = await one.create()
    const [first, second] = [
      await one.propose({ contractId, contractVersion: 1 }),
      await one.propose({ contractId, contractVersion: 1 }),
    ]
    await one.accept(first)
    await assertRefused(one.accept(second), 'proposal_ended')
    assert.equal(await other.statusOf(second), 'outdated')
    const third = await one.propose({ contractId, contractVersion: 2 })
    const { proposal } = await other.accept(third)
    assert.deepEqual([proposal?.status, proposal?.contractId], ['accepted', contractId])
    const { total } = await one.contracts.listContractHistory({ id: contractId, limit: 0, offset: 0 })
    assert.equal(total, 2)
  })

  it('expire after 30 days for all later callers, permanently, even if clocks are set back', async () => {
    const under = await open(contractsViews)
    let ahead = 0
    const clock = () => Date.now() + ahead
    const [one, other] = [processOn(under.database, clock), processOn(await under.beside(), clock)]
    const [id, declined] = [await one.propose(), await one.propose()]
    await one.decline(declined)
    const contractId = await one.create()
    const outdated = await one.propose({ contractId, contractVersion: 1 })
    await one.contracts.editContract({ id: contractId, notes: 'Edited.' }, aCall())
    ahead = 30 * DAY - 60_000
    assert.deepEqual([await other.statusOf(id), await other.statusOf(outdated)], ['open', 'outdated'])
    ahead = 30 * DAY
    const expired = [outdated, id].map((id) => ({ id, status: 'expired' }))
    assert.deepEqual([await other.statusOf(id), await other.statusOf(declined)], ['expired', 'declined'])
    assert.deepEqual([await other.listed('expired'), await other.listed('open')], [expired, []])
    assert.deepEqual(await other.listed('outdated'), [])
    for (const decide of [one.accept, other.accept, other.decline]) await assertRefused(decide(id), 'proposal_ended')
    ahead = 0
    const restarted = processOn(await under.beside(), clock)
    for (const { accept, statusOf } of [one, other, restarted]) {
      await assertRefused(accept(id), 'proposal_ended')
      assert.equal(await statusOf(id), 'expired')
    }
    assert.deepEqual([await one.listed('expired'), await one.listed('open')], [expired, []])
    assert.equal(await one.count(), 1)
  })

  it('preview their contract, even if the process that wrote it has a clock that is ahead', async () => {
    const under = await open(contractsViews)
    const ahead = processOn(under.database, () => Date.now() + 5_000)
    const other = processOn(await under.beside())
    const contractId = await ahead.create()
    const id = await other.propose({ contractId, contractVersion: 1 })
    const preview = async () => present((await other.proposals.getProposal({ id })).proposal?.preview)
    for (const decide of [async () => undefined, () => other.decline(id)]) {
      await decide()
      const { before, after } = await preview()
      assert.deepEqual([before?.notes, after?.notes], ['', 'Proposed.'])
    }
  })

  it('are the same after the view is rebuilt from the log', async () => {
    const under = await open(contractsViews)
    const { propose, accept, decline, listed } = processOn(under.database)
    const ids = [await propose(), await propose(), await propose()] as const
    await accept(ids[0])
    await decline(ids[1])
    const before = await listed()
    await under.database.view(proposalsView).rebuild()
    assert.deepEqual(await listed(), before)
    assert.deepEqual(
      before.map(({ status }) => status),
      ['open', 'declined', 'accepted'],
    )
  })
})
