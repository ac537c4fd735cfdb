import assert from 'node:assert/strict'
import type { BusinessesService } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { cleanup } from '../support/cleanup.ts'
import { ACME, aBusiness, aCall, assertRefused, present } from '../support/requests.ts'
import { openServices } from '../support/services.ts'

const NOON = Date.parse('2026-01-31T12:00:00.000Z')
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('The businesses service', () => {
  const atEnd = cleanup()
  let businesses: BusinessesService

  beforeEach(async () => {
    const services = await openServices({ clock: () => NOON })
    atEnd(services.stop)
    businesses = services.businesses
  })

  it('returns the whole record at creation, by id, by clientId and in the list', async () => {
    const { business } = await businesses.createBusiness(aBusiness())
    const { id, clientId, ...rest } = present(business)
    assert.deepEqual(rest, {
      legalName: 'Acme Inc.',
      operatedAs: 'Acme Inc.',
      businessNumber: '',
      taxId: '',
      phone: '',
      email: '',
      ownershipType: 'other',
      industryType: 'other',
      incorporationDate: '',
      createdAt: NOON,
      updatedAt: NOON,
      version: 1,
    })
    assert.match(id, UUID_V7)
    assert.match(clientId, UUID_V7)
    assert.notEqual(id, clientId)
    assert.deepEqual(await businesses.getBusiness({ id: id.toUpperCase() }), { business })
    assert.deepEqual(await businesses.getBusinessByClientId({ clientId: clientId.toUpperCase() }), { business })
    const list = await businesses.listBusinesses({ search: 'acme', limit: 0, offset: 0 })
    assert.deepEqual(list, { businesses: [business], total: 1 })
  })

  it('finds businesses by legal name, operating name and number', async () => {
    await businesses.createBusiness(aBusiness({ legalName: 'Alpha', operatedAs: 'Beta', businessNumber: 'BN-9' }))
    for (const [search, total] of [
      ['alph', 1],
      ['BETA', 1],
      ['bn-9', 1],
      ['gamma', 0],
    ] as const) {
      const page = await businesses.listBusinesses({ search, limit: 1, offset: 0 })
      assert.equal(page.total, total, search)
    }
  })

  it('sets the given fields, clears the empty ones, and leaves the rest', async () => {
    const { business } = await businesses.createBusiness(
      aBusiness({ operatedAs: 'Acme', taxId: 'T', email: 'a@b.example' }),
    )
    const before = present(business)
    const edit = { id: before.id, legalName: 'New Inc.', operatedAs: '', taxId: '', email: '' }
    const after = present((await businesses.editBusiness(edit, aCall())).business)
    assert.deepEqual(after, {
      ...before,
      legalName: 'New Inc.',
      operatedAs: 'New Inc.',
      taxId: '',
      email: '',
      version: 2,
    })
    const { business: same } = await businesses.editBusiness({ id: before.id, operatedAs: '', taxId: '' }, aCall())
    assert.deepEqual(same, after)
  })

  it('refuses ids that do not exist', async () => {
    await assertRefused(businesses.getBusiness({ id: ACME }), 'not_found')
    await assertRefused(businesses.getBusinessByClientId({ clientId: ACME }), 'not_found')
    await assertRefused(businesses.editBusiness({ id: ACME, phone: '1' }, aCall()), 'not_found')
  })

  it('reports every violation of a request, with the field names of the REST API', async () => {
    const wrong = { legalName: '', email: 'nobody', ownershipType: 'mine', incorporationDate: '2026-02-30' }
    await assertRefused(businesses.createBusiness(wrong), 'validation_failed', [
      { pointer: '/legalName', code: 'blank' },
      { pointer: '/email', code: 'invalid_email' },
      { pointer: '/ownershipType', code: 'not_allowed' },
      { pointer: '/incorporationDate', code: 'invalid_date' },
    ])
    await assertRefused(businesses.editBusiness({ id: 'x', taxId: 'x'.repeat(51) }), 'validation_failed', [
      { pointer: '/taxId', code: 'too_long' },
      { pointer: '/id', code: 'invalid_uuid' },
    ])
  })
})
