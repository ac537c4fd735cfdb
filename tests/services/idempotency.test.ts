import assert from 'node:assert/strict'
import { StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import {
  ACME,
  aBusiness,
  aCall,
  aContract,
  aKeyedCall,
  aRetriedCall,
  assertRefused,
  present,
} from '../support/requests.ts'
import { openServices } from '../support/services.ts'
import { troubledNetwork } from '../support/troubled-network.ts'

const ALL = { search: '', limit: 0, offset: 0 }

describe('A repeated request', () => {
  it('with a key gets the first answer even if it would be refused now', async () => {
    let known = true
    const { businesses } = await openServices()
    const { business } = await businesses.createBusiness(aBusiness())
    const { contracts } = await openServices({
      requireKnownClient: true,
      ask: {
        getBusiness: async () => ({ business: undefined }),
        getBusinessByClientId: async () => ({ business: known ? business : undefined }),
      },
    })
    const first = await contracts.createContract(aContract(), aKeyedCall('k', 'create'))
    known = false
    const again = await contracts.createContract(aContract(), aKeyedCall('k', 'create'))
    assert.deepEqual(again, { ...first, replayed: true })
  })

  it('with a key uses up no number that a later creation would get', async () => {
    const { contracts } = await openServices()
    const ids = []
    for (const key of ['one', 'one', 'one', 'two']) {
      ids.push((await contracts.createContract(aContract(), aKeyedCall(key, 'create'))).contract?.id)
    }
    assert.deepEqual(ids, [1, 1, 1, 2])
  })

  it('without a key, retried by the transport, gets the answer to the first attempt', async () => {
    const { contracts } = await openServices()
    const creation = aRetriedCall()
    const created = await contracts.createContract(aContract(), creation)
    assert.deepEqual(await contracts.createContract(aContract(), creation), { ...created, replayed: true })
    const call = aRetriedCall()
    const edit = { id: 1, notes: 'first', expectedVersions: { versions: [1] } }
    const edited = await contracts.editContract(edit, call)
    const again = { ...edited, replayed: true }
    assert.deepEqual(await contracts.editContract(edit, call), again)
    await contracts.editContract({ id: 1, notes: 'second' }, aCall())
    assert.deepEqual(await contracts.editContract(edit, call), again)
    assert.deepEqual(await contracts.editContract({ id: 1, notes: 'first' }, call), again)
    assert.equal((await contracts.listContracts(ALL)).total, 1)
  })

  it('with the commit id of a write to another record is refused', async () => {
    const { businesses } = await openServices()
    const call = aRetriedCall()
    const { id } = present((await businesses.createBusiness(aBusiness(), call)).business)
    const other = present((await businesses.createBusiness(aBusiness())).business)
    await assertRefused(
      businesses.editBusiness({ id: other.id, legalName: 'Acme Inc.' }, call),
      'idempotency_key_reused',
    )
    assert.notEqual(id, other.id)
  })
})

describe('A write whose answer is lost', () => {
  const openTroubled = async () => {
    const { trouble, between } = troubledNetwork()
    const services = await openServices({ between })
    return { ...services, trouble }
  }

  for (const losses of ['losesAnswers', 'losesRequests'] as const) {
    it(`happens once and is answered when the network ${losses === 'losesAnswers' ? 'loses answers' : 'loses requests'}`, async () => {
      const { contracts, trouble } = await openTroubled()
      trouble[losses] = 2
      const { contract } = await contracts.createContract(aContract(), aKeyedCall('k', 'create'))
      trouble[losses] = 2
      const edited = await contracts.editContract({ id: present(contract).id, notes: 'once' }, aCall())
      assert.deepEqual([edited.contract?.notes, edited.contract?.version], ['once', 2])
      assert.equal((await contracts.listContracts(ALL)).total, 1)
    })
  }

  it('is reported as having an unknown outcome at the deadline, and replayed under the same key once the store is back', async () => {
    const { contracts, trouble } = await openTroubled()
    trouble.losesAnswers = 1
    trouble.goesAwayThen = true
    const losing = contracts.createContract(aContract(), aKeyedCall('k', 'create', { deadline: Date.now() + 500 }))
    await assertRefused(losing, 'outcome_unknown')
    await assertRefused(contracts.createContract(aContract(), aKeyedCall('k', 'create')), 'unavailable')
    trouble.away = false
    const again = await contracts.createContract(aContract(), aKeyedCall('k', 'create'))
    assert.deepEqual([again.contract?.clientId, again.replayed], [ACME, true])
    assert.equal((await contracts.listContracts(ALL)).total, 1)
  })

  it('is found by its retry even if its period has since been closed', async () => {
    const { contracts, closing } = await openTroubled()
    const fields = aContract({ serviceDate: '2026-01-15' })
    for (const call of [aRetriedCall({ commitId: 'without a key' }), aKeyedCall('k', 'create')]) {
      const first = await contracts.createContract(fields, call)
      await closing.setClosing({ closedThrough: '2026-01-31', reason: 'January.' }, aCall())
      const again = await contracts.createContract(fields, call)
      assert.deepEqual([again.contract, again.replayed], [first.contract, true])
      await closing.setClosing({ reason: 'Open again.' }, aCall())
    }
  })

  it('is reported as having an unknown outcome, not as never written, if the log has it but its record can’t be read', async () => {
    let away = false
    const { trouble, between } = troubledNetwork()
    const services = await openServices({
      between: (database) => ({
        ...between(database),
        view(definition) {
          const view = database.view(definition)
          const isAway = () => away && definition.name === 'contracts'
          const get: typeof view.get = (id) => (isAway() ? Promise.reject(new StoreUnavailable('away')) : view.get(id))
          return { ...view, get }
        },
      }),
    })
    const create = () => services.contracts.createContract(aContract(), aKeyedCall('k', 'create'))
    trouble.losesAnswers = 1
    away = true
    await assertRefused(create(), 'outcome_unknown')
    away = false
    assert.deepEqual((await create()).replayed, true)
  })

  it('is refused as unavailable, with nothing written, while the store is down', async () => {
    const { contracts, trouble } = await openTroubled()
    trouble.away = true
    await assertRefused(contracts.createContract(aContract(), aCall()), 'unavailable')
    trouble.away = false
    assert.equal((await contracts.listContracts(ALL)).total, 0)
  })
})
