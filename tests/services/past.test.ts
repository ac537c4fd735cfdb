import assert from 'node:assert/strict'
import { aContract, assertRefused } from '../support/requests.ts'
import { openServices } from '../support/services.ts'

const NOON = Date.parse('2026-01-31T12:00:00.000Z')
const UNKNOWN = '11111111-1111-1111-1111-111111111111'

describe('The history of a record in the services', () => {
  /** Services whose clock advances by a second with each event. */
  const open = () => {
    let now = NOON
    return openServices({ clock: () => (now += 1000) })
  }

  it('refuses ids that do not exist, and malformed ones', async () => {
    const { contracts, businesses } = await open()
    await contracts.createContract(aContract())
    await assertRefused(contracts.getContract({ id: 1, asOf: NOON }), 'not_found')
    const notYet = 'There is no contract with this id at that version or time. Check when it was created.'
    await assert.rejects(contracts.getContract({ id: 1, asOf: NOON }), { message: notYet })
    await assert.rejects(contracts.getContract({ id: 2 }), {
      message: 'There is no contract with this id. Check the id.',
    })
    await assertRefused(contracts.listContractHistory({ id: 2, limit: 0, offset: 0 }), 'not_found')
    await assertRefused(businesses.listBusinessHistory({ id: UNKNOWN, limit: 0, offset: 0 }), 'not_found')
    await assertRefused(businesses.getBusiness({ id: UNKNOWN, asOf: NOON }), 'not_found')
    await assertRefused(contracts.getContract({ id: 1, asOf: 0.5 }), 'validation_failed', [
      { pointer: '/asOf', code: 'out_of_range' },
    ])
    await assertRefused(contracts.listContractHistory({ id: 0, limit: 101, offset: -1 }), 'validation_failed', [
      { pointer: '/id', code: 'invalid_id' },
      { pointer: '/limit', code: 'out_of_range' },
      { pointer: '/offset', code: 'out_of_range' },
    ])
  })
})

describe('Lists of the services', () => {
  const open = () => openServices({ clock: () => NOON })

  it('refuse all invalid filters together, with the pointers of REST', async () => {
    const { contracts, businesses } = await open()
    const wrong = { updatedSince: 0.5, serviceDateFrom: '2026-1-1', serviceDateTo: '', offset: 1, after: 0 }
    await assertRefused(contracts.listContracts({ search: '', limit: 0, ...wrong }), 'validation_failed', [
      { pointer: '/updatedSince', code: 'out_of_range' },
      { pointer: '/serviceDateFrom', code: 'invalid_date' },
      { pointer: '/serviceDateTo', code: 'invalid_date' },
      { pointer: '/after', code: 'invalid_id' },
      { pointer: '/after', code: 'not_together' },
    ])
    const unknown = businesses.listBusinesses({ search: '', limit: 0, offset: 0, after: UNKNOWN })
    await assertRefused(unknown, 'validation_failed', [{ pointer: '/after', code: 'unknown_cursor' }])
  })

  it('skip counting if no total is requested', async () => {
    const { contracts } = await open()
    await contracts.createContract(aContract())
    const page = await contracts.listContracts({ search: '', limit: 0, offset: 0, withoutTotal: true })
    assert.deepEqual([page.contracts.length, page.total], [1, 0])
  })
})
