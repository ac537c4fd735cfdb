import assert from 'node:assert/strict'
import { ACME, aBusiness, aCall, aContract, assertRefused, present } from '../support/requests.ts'
import { openServices } from '../support/services.ts'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const NOON = Date.parse('2026-01-31T12:00:00.000Z')

// What callers get over REST is tested in tests/gateway, through these services on either transport.
describe('The services', () => {
  it('store decimals, ids and texts in their normal form, in which the same value is no change', async () => {
    const { contracts } = await openServices({ clock: () => NOON })
    const { contract } = await contracts.createContract(
      aContract({ clientId: ACME.toUpperCase(), serviceFee: '019.990', taxPercent: '8.25' }),
    )
    assert.deepEqual(contract, {
      id: 1,
      clientId: ACME,
      serviceName: 'Audit',
      serviceType: 'tax',
      serviceFee: '19.99',
      taxPercent: '8.25',
      totalFeeWithTax: '21.639175',
      serviceDate: '2026-01-31',
      notes: '',
      createdAt: NOON,
      updatedAt: NOON,
      version: 1,
    })
    assert.deepEqual((await contracts.editContract({ id: 1, serviceFee: '19.990' })).contract, contract)
    const { total } = await contracts.listContracts({ search: '', limit: 0, offset: 0, clientId: ACME.toUpperCase() })
    assert.equal(total, 1)
  })

  it('check a contract to be created by the same rules as one that is created, and write nothing', async () => {
    const { contracts } = await openServices()
    const invalid = aContract({ serviceName: '', serviceFee: 'much' })
    const refused = await contracts.createContract(invalid).catch((error) => error.violations)
    assert.equal(refused.length, 2)
    const checked = { contracts: [{ contract: invalid }, { contract: aContract() }] }
    const { verdicts } = await contracts.checkNewContracts(checked)
    assert.deepEqual(
      verdicts.map(({ refusals }) => refusals),
      [refused, []],
    )
    assert.equal((await contracts.listContracts({ search: '', limit: 0, offset: 0 })).total, 0)
  })

  it('find a business by its id and its clientId, in upper or lower case', async () => {
    const { businesses } = await openServices()
    const { business } = await businesses.createBusiness(aBusiness())
    const { id, clientId } = present(business)
    for (const uuid of [id, clientId]) assert.match(uuid, UUID_V7)
    assert.notEqual(id, clientId)
    assert.deepEqual(await businesses.getBusiness({ id: id.toUpperCase() }), { business })
    assert.deepEqual(await businesses.getBusinessByClientId({ clientId: clientId.toUpperCase() }), { business })
    await assertRefused(businesses.getBusinessByClientId({ clientId: ACME }), 'not_found')
  })

  it('record who made each change, with which request, and when', async () => {
    const { contracts, contractsData } = await openServices({ clock: () => NOON })
    await contracts.createContract(aContract(), { actor: 'key-7', requestId: 'request-7', commitId: 'commit-7' })
    const [event] = await contractsData.events.readStream({ category: 'contract', id: '1' })
    const { by, requestId, commitId, at } = present(event)
    assert.deepEqual(
      { by, requestId, commitId, at },
      { by: 'key-7', requestId: 'request-7', commitId: 'commit-7', at: NOON },
    )
  })

  it('never let time go backwards within a record, whatever the clock does', async () => {
    let now = NOON
    const { contracts, businesses } = await openServices({ clock: () => now })
    await contracts.createContract(aContract())
    const { id } = present((await businesses.createBusiness(aBusiness())).business)
    now = NOON - 60_000
    const { contract } = await contracts.editContract({ id: 1, notes: 'later' })
    const { business } = await businesses.editBusiness({ id, phone: '1' })
    // Contracts have their own clock, which never goes back.
    assert.deepEqual([present(contract).updatedAt, present(business).updatedAt], [NOON, NOON])
  })

  it('report every violation in a request, with the field names of the REST API', async () => {
    const { businesses, contracts } = await openServices()
    const wrong = aContract({ clientId: 'acme', serviceName: ' ', serviceFee: '1e3', taxPercent: '1000.00001' })
    await assertRefused(contracts.createContract(wrong), 'validation_failed', [
      { pointer: '/clientId', code: 'invalid_uuid' },
      { pointer: '/serviceName', code: 'blank' },
      { pointer: '/serviceFee', code: 'invalid_number' },
      { pointer: '/taxPercent', code: 'out_of_range' },
      { pointer: '/taxPercent', code: 'too_many_decimals' },
    ])
    await assertRefused(contracts.getContract({ id: 0 }), 'validation_failed', [{ pointer: '/id', code: 'invalid_id' }])
    const list = { search: 'x'.repeat(201), limit: 101, offset: -1 }
    await assertRefused(contracts.listContracts(list), 'validation_failed', [
      { pointer: '/search', code: 'too_long' },
      { pointer: '/limit', code: 'out_of_range' },
      { pointer: '/offset', code: 'out_of_range' },
    ])
    const business = { legalName: '', email: 'nobody', ownershipType: 'mine', incorporationDate: '2026-02-30' }
    await assertRefused(businesses.createBusiness(business), 'validation_failed', [
      { pointer: '/legalName', code: 'blank' },
      { pointer: '/email', code: 'invalid_email' },
      { pointer: '/ownershipType', code: 'not_allowed' },
      { pointer: '/incorporationDate', code: 'invalid_date' },
    ])
    await assertRefused(businesses.editBusiness({ id: 'x', taxId: 'x'.repeat(51) }, aCall()), 'validation_failed', [
      { pointer: '/taxId', code: 'too_long' },
      { pointer: '/id', code: 'invalid_uuid' },
    ])
  })
})
