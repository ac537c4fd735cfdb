import assert from 'node:assert/strict'
import { CodedError } from '../../shared/errors.ts'
import { cleanup } from '../support/cleanup.ts'
import { ACME, aBusiness, aContract, assertRefused, present } from '../support/requests.ts'
import { openServices, type ServicesOptions } from '../support/services.ts'

const UNKNOWN_CLIENT = [{ pointer: '/clientId', code: 'unknown_client' }]
const away: ServicesOptions['ask'] = {
  getBusinessByClientId: async () => {
    throw new CodedError('unavailable', 'away')
  },
}

describe('A client that the topic has not told of', () => {
  const atEnd = cleanup()
  const open = async (options: ServicesOptions = {}) => {
    const services = await openServices(options)
    atEnd(services.stop)
    return services
  }

  it('is answered from the businesses service, as the topic will tell it, and not written', async () => {
    const { businesses, clients } = await open()
    const { business } = await businesses.createBusiness(aBusiness({ operatedAs: 'Acme' }))
    const { id, clientId, createdAt } = present(business)
    await businesses.editBusiness({ id, phone: '1' })
    const edited = present((await businesses.getBusiness({ id })).business)
    const { client } = await clients.getClient({ clientId: clientId.toUpperCase() })
    assert.deepEqual(client, {
      clientId,
      clientType: 'business',
      businessId: id,
      displayName: 'Acme',
      createdAt,
      updatedAt: edited.updatedAt,
      version: 2,
    })
    assert.deepEqual(await clients.listClients({ search: '', limit: 0, offset: 0 }), { clients: [], total: 0 })
  })

  it('is not found when the businesses service does not know it either', async () => {
    const { clients } = await open()
    await assertRefused(clients.getClient({ clientId: ACME }), 'not_found')
  })

  it('is not guessed at while the businesses service is away', async () => {
    const { clients } = await open({ ask: away })
    await assertRefused(clients.getClient({ clientId: ACME }), 'unavailable')
  })

  it('can have contracts, unless clients must be known', async () => {
    const anybody = await open({ ask: away })
    assert.equal(present((await anybody.contracts.createContract(aContract())).contract).clientId, ACME)
    const known = await open({ requireKnownClient: true })
    await assertRefused(known.contracts.createContract(aContract()), 'validation_failed', UNKNOWN_CLIENT)
    const { total } = await known.contracts.listContracts({ search: '', limit: 0, offset: 0 })
    assert.equal(total, 0)
  })

  it('is enough as a known client right after its business was created', async () => {
    const { businesses, contracts } = await open({ requireKnownClient: true })
    const { clientId } = present((await businesses.createBusiness(aBusiness())).business)
    await contracts.createContract(aContract({ clientId }))
    await assertRefused(contracts.editContract({ id: 1, clientId: ACME }), 'validation_failed', UNKNOWN_CLIENT)
    const { contract } = await contracts.editContract({ id: 1, clientId, notes: 'same client' })
    assert.equal(present(contract).notes, 'same client')
  })

  it('holds up contracts that must have a known client while that can’t be told', async () => {
    const { contracts } = await open({ requireKnownClient: true, ask: away })
    await assertRefused(contracts.createContract(aContract()), 'unavailable')
  })
})
