import assert from 'node:assert/strict'
import type { CallContext } from '../../shared/calls/call-context.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import { newUuid } from '../../shared/calls/ids.ts'
import { ACME, aBusiness, aContract, assertRefused, present } from '../support/requests.ts'
import { openServices, publishedBy, type ServicesOptions } from '../support/services.ts'

type Businesses = NonNullable<ServicesOptions['ask']>
type Asked = Businesses['getBusinessByClientId']

type Services = Awaited<ReturnType<typeof openServices>>

const UNKNOWN_CLIENT = [{ pointer: '/clientId', code: 'unknown_client' }]
const refusing = (code: 'unavailable' | 'not_found') => async (): Promise<never> => {
  throw new CodedError(code, code)
}
const refused = refusing('unavailable')
const away: Businesses = { getBusiness: refused, getBusinessByClientId: refused }

describe('A client that the topic has not delivered', () => {
  it('is served from the businesses service, just as the topic will deliver it, and not stored', async () => {
    const { businesses, clients } = await openServices()
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

  it('is not found if the businesses service does not know it either', async () => {
    const { clients } = await openServices()
    await assertRefused(clients.getClient({ clientId: ACME }), 'not_found')
  })

  it('is unavailable while the businesses service is down', async () => {
    const { clients } = await openServices({ ask: away })
    await assertRefused(clients.getClient({ clientId: ACME }), 'unavailable')
  })

  it('can have contracts, unless clients must be known', async () => {
    const anybody = await openServices({ ask: away })
    assert.equal(present((await anybody.contracts.createContract(aContract())).contract).clientId, ACME)
    const known = await openServices({ requireKnownClient: true })
    await assertRefused(known.contracts.createContract(aContract()), 'validation_failed', UNKNOWN_CLIENT)
    const { total } = await known.contracts.listContracts({ search: '', limit: 0, offset: 0 })
    assert.equal(total, 0)
  })

  it('counts as known as soon as its business is created', async () => {
    const { businesses, contracts } = await openServices({ requireKnownClient: true })
    const { clientId } = present((await businesses.createBusiness(aBusiness())).business)
    await contracts.createContract(aContract({ clientId }))
    await assertRefused(contracts.editContract({ id: 1, clientId: ACME }), 'validation_failed', UNKNOWN_CLIENT)
    const { contract } = await contracts.editContract({ id: 1, clientId, notes: 'same client' })
    assert.equal(present(contract).notes, 'same client')
  })

  it('blocks contracts that need a known client as long as that can’t be determined', async () => {
    const { contracts } = await openServices({ requireKnownClient: true, ask: away })
    await assertRefused(contracts.createContract(aContract()), 'unavailable')
  })
})

describe('A client that the topic has delivered', () => {
  async function openWith(ask: (at: Asked) => Asked = (asked) => asked, options: ServicesOptions = {}) {
    let answer: Asked
    const services: Services = await openServices({
      ...options,
      ask: {
        getBusiness: (...args) => services.businesses.getBusiness(...args),
        getBusinessByClientId: (...args) => answer(...args),
      },
    })
    answer = ask(services.businesses.getBusinessByClientId)
    const { id, clientId } = present(
      (await services.businesses.createBusiness(aBusiness({ operatedAs: 'Old' }))).business,
    )
    await services.handleBusinessEvents(await publishedBy(services))
    return { ...services, id, clientId }
  }

  it('reflects the current state of its business, but in lists only once the topic delivers it', async () => {
    const { businesses, clients, id, clientId } = await openWith()
    const { business } = await businesses.editBusiness({ id, operatedAs: 'New' })
    const { updatedAt } = present(business)
    const { client } = await clients.getClient({ clientId })
    assert.deepEqual([client?.displayName, client?.version, client?.updatedAt], ['New', 2, updatedAt])
    assert.equal((await clients.listClients({ search: 'new', limit: 0, offset: 0 })).total, 0)
  })

  it('is shown as delivered while the businesses service is down, does not answer, or does not know it', async () => {
    const patience: number[] = []
    const silent: Asked = (_, context) => {
      const left = Number(context?.deadline) - Date.now()
      patience.push(left)
      return new Promise((_resolve, reject) => setTimeout(reject, left, GONE))
    }
    for (const answer of [silent, refusing('unavailable'), refusing('not_found')]) {
      const { businesses, clients, id, clientId } = await openWith(() => answer)
      await businesses.editBusiness({ id, operatedAs: 'New' })
      const { client } = await clients.getClient({ clientId })
      assert.deepEqual([client?.displayName, client?.version], ['Old', 1])
    }
    // Long before the caller gives up.
    assert.ok(patience.length === 1 && Number(patience[0]) <= 1_000, `${patience} ms`)
  })

  it('can have contracts that need a known client, even while the businesses service is down', async () => {
    const { contracts, clientId } = await openWith(() => refusing('unavailable'), { requireKnownClient: true })
    const { contract } = await contracts.createContract(aContract({ clientId }))
    assert.equal(present(contract).clientId, clientId)
  })

  it('is not reverted by a businesses service that lags behind', async () => {
    const { clients, clientId } = await openWith((ask) => async (...args) => {
      const { business } = await ask(...args)
      return { business: { ...present(business), version: 0, operatedAs: 'Older' } }
    })
    assert.equal((await clients.getClient({ clientId })).client?.displayName, 'Old')
  })
})

describe('A business id given as a clientId', () => {
  /** Services with one business, and the names of the calls to the businesses service since. */
  async function openAsked(options: ServicesOptions = {}) {
    const asked: string[] = []
    let isAway = false
    const between =
      <Request, Answer>(name: string, method: (request: Request, context?: CallContext) => Promise<Answer>) =>
      async (request: Request, context?: CallContext) => {
        asked.push(name)
        if (isAway) throw GONE
        return await method(request, context)
      }
    const services: Services = await openServices({
      ...options,
      ask: {
        getBusiness: between('getBusiness', (...args) => services.businesses.getBusiness(...args)),
        getBusinessByClientId: between('getBusinessByClientId', (...args) =>
          services.businesses.getBusinessByClientId(...args),
        ),
      },
    })
    const { id, clientId } = present((await services.businesses.createBusiness(aBusiness())).business)
    return {
      ...services,
      id,
      clientId,
      asked,
      goAway() {
        isAway = true
      },
    }
  }

  for (const requireKnownClient of [false, true]) {
    const kind = requireKnownClient ? 'only known clients' : 'any client'
    it(`is refused with a hint to its clientId if ${kind} may have contracts, before and after the topic delivers it`, async () => {
      const { contracts, id, clientId, goAway, ...services } = await openAsked({ requireKnownClient })
      await contracts.createContract(aContract({ clientId }))
      for (const told of [false, true]) {
        if (told) {
          await services.handleBusinessEvents(await publishedBy(services))
          goAway()
        }
        for (const call of [
          contracts.createContract(aContract({ clientId: id.toUpperCase() })),
          contracts.editContract({ id: 1, clientId: id }),
        ]) {
          const error = await call.catch((caught: unknown) => caught)
          assert.ok(error instanceof CodedError, `told: ${told}`)
          assert.deepEqual(error.violations, [
            {
              pointer: '/clientId',
              code: 'business_id',
              message: `This is the id of a business, not its clientId. Give its clientId: ${clientId}.`,
            },
          ])
        }
      }
      const { total } = await contracts.listContracts({ search: '', limit: 0, offset: 0 })
      assert.equal(total, 1)
    })

    it(`is refused as unavailable while the businesses service is down, if ${kind} may have contracts`, async () => {
      const { contracts, id, goAway } = await openAsked({ requireKnownClient })
      goAway()
      await assertRefused(contracts.createContract(aContract({ clientId: id })), 'unavailable')
    })
  }

  it('is looked up at most once, and never for a known Client or another kind of UUID', async () => {
    const { contracts, clientId, asked, ...services } = await openAsked()
    const create = (client: string) => contracts.createContract(aContract({ clientId: client }))
    for (let count = 0; count < 3; count++) await create(ACME)
    assert.deepEqual(asked, [])
    await services.handleBusinessEvents(await publishedBy(services))
    asked.length = 0
    for (let count = 0; count < 3; count++) await create(clientId)
    assert.deepEqual(asked, [])
    const unknown = newUuid()
    for (let count = 0; count < 3; count++) await create(unknown)
    assert.deepEqual(asked, ['getBusiness'])
  })
})

const GONE = new CodedError('unavailable', 'gone')
