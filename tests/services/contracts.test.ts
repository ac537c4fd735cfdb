import assert from 'node:assert/strict'
import type { EditContractRequest } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { cleanup } from '../support/cleanup.ts'
import { ACME, aCall, aContract, assertRefused, present } from '../support/requests.ts'
import { openServices, type ServicesOptions } from '../support/services.ts'

const NOON = Date.parse('2026-01-31T12:00:00.000Z')

describe('The contracts service', () => {
  const atEnd = cleanup()
  const open = async (options: ServicesOptions = {}) => {
    const services = await openServices(options)
    atEnd(services.stop)
    return services
  }

  it('returns the whole record at creation, by number, and in the list', async () => {
    const { contracts } = await open({ clock: () => NOON })
    const { contract, replayed } = await contracts.createContract(
      aContract({ clientId: ACME.toUpperCase(), serviceFee: '019.990', taxPercent: '8.25' }),
    )
    const expected = {
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
    }
    assert.deepEqual(contract, expected)
    assert.equal(replayed, false)
    assert.deepEqual(await contracts.getContract({ id: 1 }), { contract: expected })
    const list = await contracts.listContracts({ search: '', limit: 0, offset: 0 })
    assert.deepEqual(list, { contracts: [expected], total: 1 })
  })

  it('treats the same decimal in another form as no change', async () => {
    const { contracts } = await open()
    await contracts.createContract(aContract({ serviceFee: '19.99' }))
    const { contract } = await contracts.editContract({ id: 1, serviceFee: '19.990' })
    assert.equal(present(contract).version, 1)
  })

  it('records who did it, with which request, and when', async () => {
    const { contracts, contractsData } = await open({ clock: () => NOON })
    await contracts.createContract(aContract(), { actor: 'key-7', requestId: 'request-7', commitId: 'commit-7' })
    const [event] = await contractsData.events.readStream({ category: 'contract', id: '1' })
    const { by, requestId, commitId, at } = present(event)
    assert.deepEqual(
      { by, requestId, commitId, at },
      { by: 'key-7', requestId: 'request-7', commitId: 'commit-7', at: NOON },
    )
  })

  it('never lets time go backwards within a record, whatever the clock does', async () => {
    let now = NOON
    const { contracts } = await open({ clock: () => now })
    await contracts.createContract(aContract())
    now = NOON - 60_000
    const { contract } = await contracts.editContract({ id: 1, notes: 'later' })
    assert.equal(present(contract).updatedAt, NOON)
  })

  it('keeps all concurrent edits of different fields', async () => {
    const { contracts } = await open()
    await contracts.createContract(aContract())
    const edits: Omit<EditContractRequest, 'id'>[] = [
      { serviceName: 'Payroll' },
      { serviceType: 'hr' },
      { serviceFee: '20' },
      { taxPercent: '10' },
      { serviceDate: '2026-02-28' },
      { notes: 'all survive' },
    ]
    await Promise.all(edits.map((edit) => contracts.editContract({ id: 1, ...edit }, aCall())))
    const { contract } = await contracts.getContract({ id: 1 })
    const { serviceName, serviceType, serviceFee, taxPercent, serviceDate, notes, totalFeeWithTax, version } =
      present(contract)
    assert.deepEqual(
      { serviceName, serviceType, serviceFee, taxPercent, serviceDate, notes, totalFeeWithTax, version },
      { ...Object.assign({}, ...edits), totalFeeWithTax: '22', version: 7 },
    )
  })

  it('accepts an edit at an expected version only', async () => {
    const { contracts } = await open()
    await contracts.createContract(aContract())
    await contracts.editContract({ id: 1, notes: 'two', expectedVersions: { versions: [1] } })
    const late = contracts.editContract({ id: 1, notes: 'three', expectedVersions: { versions: [1] } })
    await assertRefused(late, 'precondition_failed')
    await assertRefused(contracts.editContract({ id: 1, expectedVersions: { versions: [] } }), 'precondition_failed')
    const { contract } = await contracts.editContract({ id: 1, notes: 'three', expectedVersions: { versions: [1, 2] } })
    assert.deepEqual([present(contract).notes, present(contract).version], ['three', 3])
  })

  it('refuses ids that do not exist', async () => {
    const { contracts } = await open()
    await assertRefused(contracts.getContract({ id: 1 }), 'not_found')
    await assertRefused(
      contracts.editContract({ id: 1, notes: 'x', expectedVersions: { versions: [5] } }, aCall()),
      'not_found',
    )
  })

  it('reports every violation of a request, with the field names of the REST API', async () => {
    const { contracts } = await open()
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
  })

  it('lists newest first, by client and by text, with the total of all that match', async () => {
    const { contracts } = await open({ clock: () => NOON })
    const other = '22222222-2222-2222-2222-222222222222'
    await contracts.createContract(aContract({ serviceName: 'ÉCOLE' }))
    await contracts.createContract(aContract({ clientId: other, serviceName: 'école' }))
    await contracts.createContract(aContract({ serviceType: 'Écoles', serviceName: 'x' }))
    await contracts.createContract(aContract())
    const ids = async (query: object) => {
      const page = await contracts.listContracts({ search: '', limit: 0, offset: 0, ...query })
      return { ids: page.contracts.map(({ id }) => id), total: page.total }
    }
    assert.deepEqual(await ids({}), { ids: [4, 3, 2, 1], total: 4 })
    assert.deepEqual(await ids({ limit: 2, offset: 1 }), { ids: [3, 2], total: 4 })
    assert.deepEqual(await ids({ search: 'École' }), { ids: [3, 2, 1], total: 3 })
    assert.deepEqual(await ids({ search: 'École', clientId: other.toUpperCase() }), { ids: [2], total: 1 })
  })
})
