import assert from 'node:assert/strict'
import fc from 'fast-check'
import { StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import type { TopicMessage } from '../../shared/event-sourcing/ports/topic.ts'
import { createSigningKeys } from '../../shared/events/signing-keys.ts'
import { forAllAsync } from '../support/for-all.ts'
import { believe, withValue } from '../support/forged-messages.ts'
import { aBusiness, present } from '../support/requests.ts'
import { openServices, publishedBy } from '../support/services.ts'
import { troubledNetwork } from '../support/troubled-network.ts'

type Services = Awaited<ReturnType<typeof openServices>>

const ALL = { search: '', limit: 0, offset: 0 }

describe('Clients, built from the businesses topic', () => {
  const { trouble, between } = troubledNetwork()
  let services: Services

  beforeEach(async () => {
    services = await openServices({ between })
  })

  it('are registered and renamed with their businesses, and have their times and versions', async () => {
    const { businesses, clients, handleBusinessEvents } = services
    const { id, clientId, createdAt } = present((await businesses.createBusiness(aBusiness())).business)
    await handleBusinessEvents(await publishedBy(services))
    assert.equal((await clients.getClient({ clientId })).client?.displayName, 'Acme Inc.')
    await businesses.editBusiness({ id, operatedAs: 'Acme' })
    const edited = present((await businesses.editBusiness({ id, phone: '1' })).business)
    await handleBusinessEvents(await publishedBy(services))
    const expected = {
      clientId,
      clientType: 'business',
      businessId: id,
      displayName: 'Acme',
      createdAt,
      updatedAt: edited.updatedAt,
      version: 3,
    }
    assert.deepEqual(await clients.getClient({ clientId }), { client: expected })
    const found = await clients.listClients({ ...ALL, search: 'ACME', clientType: 'business' })
    assert.deepEqual(found, { clients: [expected], total: 1 })
  })

  it('end up the same whatever the order, batching and repetition of messages', async () => {
    const messages = await threeBusinessesWithEdits(services)
    await services.handleBusinessEvents(messages)
    const expected = await services.clients.listClients(ALL)
    const deliveries = fc
      .array(fc.constantFrom(...messages), { maxLength: 10 })
      .chain((again) => fc.shuffledSubarray([...messages, ...again], { minLength: messages.length + again.length }))
    await forAllAsync([deliveries, fc.integer({ min: 1, max: 8 })], { numRuns: 10 }, async (delivered, batch) => {
      const other = await openServices({ ask: services.businesses, askRelay: services.businessesRelay })
      for (let start = 0; start < delivered.length; start += batch) {
        await other.handleBusinessEvents(delivered.slice(start, start + batch))
      }
      assert.deepEqual(await other.clients.listClients(ALL), expected)
    })
  })

  it('keep following the topic past a message that can’t be understood, which is set aside with a reason', async () => {
    const { clients, contractsData, handleBusinessEvents } = services
    const [first, ...others] = await threeBusinessesWithEdits(services)
    const good = present(first)
    const broken = [
      { ...good, value: '{"id":' },
      withHeaders(good, { ce_type: 'mint.business.merged.v1', ce_id: 'mint/businesses/90' }),
      withHeaders(good, { ce_specversion: '2.0', ce_id: 'mint/businesses/91' }),
      { ...withHeaders(good, { ce_id: 'mint/businesses/92' }), value: '{"version":0}' },
      { ...withHeaders(good, { ce_id: 'mint/businesses/93' }), value: '[]' },
      withValue(withHeaders(good, { ce_id: 'mint/businesses/94' }), { id: good.key.replace(/^./, 'f'), version: 9 }),
    ]
    await handleBusinessEvents([present(broken[0]), good, ...broken.slice(1), ...others])
    assert.equal((await clients.listClients(ALL)).total, 3)
    const letters = await contractsData.deadLetters.list(10)
    assert.deepEqual(
      letters.map(({ message }) => message),
      broken,
    )
    const reasons = letters.map(({ reason }) => reason)
    assert.match(present(reasons[0]), /not JSON/)
    assert.match(present(reasons[1]), /headers\/ce_type/)
    assert.match(present(reasons[2]), /headers\/ce_specversion/)
    assert.match(present(reasons[3]), /value\/clientId.*value\/version/)
    assert.match(present(reasons[4]), /value: .*object/)
    assert.equal(present(reasons[5]), 'Changed after it was signed.')
  })

  it('set aside only the beginning of a message too large to store, and say so', async () => {
    const [good] = await threeBusinessesWithEdits(services)
    const key = 'k'.repeat(9_000)
    await services.handleBusinessEvents([{ ...present(good), key, value: 'é'.repeat(8_000_000) }])
    const [letter, ...more] = await services.contractsData.deadLetters.list(10)
    const { headers } = present(good)
    assert.deepEqual(letter?.message, { key: 'k'.repeat(1_000), headers, value: 'é'.repeat(1_000) })
    assert.match(letter?.reason, /not JSON.* Too large to be set aside whole \(16009\d+ bytes\)/)
    assert.equal(letter.isCut, true)
    assert.equal(more.length, 0)
  })

  it('set aside a message that can’t be understood under the configured name of the topic', async () => {
    const topic = 'firm.mint.businesses.v1'
    const named = await openServices({ topic })
    const [first] = await threeBusinessesWithEdits(named)
    await named.handleBusinessEvents([{ ...present(first), value: '{"id":' }])
    const letters = await named.contractsData.deadLetters.list(10)
    assert.deepEqual(
      letters.map((letter) => letter.topic),
      [topic],
    )
  })

  it('are repaired by a replay of the whole topic after an earlier Mint trusted a forged message', async () => {
    const messages = await threeBusinessesWithEdits(services)
    await services.handleBusinessEvents(messages)
    const expected = await services.clients.listClients(ALL)
    const [real] = messages
    const [{ clientId } = { clientId: '' }] = expected.clients
    await believe(services.contractsData, [
      withValue(present(real), { operatedAs: 'Forged', version: Number.MAX_SAFE_INTEGER }),
      withValue(present(messages[5]), { operatedAs: 'Forged', version: 5 }),
      withValue(present(real), { id: '22222222-2222-2222-2222-222222222222', clientId, version: 9 }),
    ])
    assert.notDeepEqual(await services.clients.listClients(ALL), expected)
    await services.handleBusinessEvents(messages)
    assert.deepEqual(await services.clients.listClients(ALL), expected)
    assert.equal(await services.contractsData.deadLetters.count(), 0)
  })

  it('wait for missing versions while a businesses service of an earlier release answers, which can’t serve past ones', async () => {
    const { businesses } = services
    const messages = await threeBusinessesWithEdits(services)
    const earlier = await openServices({
      ask: { ...businesses, getBusiness: ({ id }, context) => businesses.getBusiness({ id }, context) },
      askRelay: services.businessesRelay,
    })
    await earlier.handleBusinessEvents(messages.slice(0, 1))
    await assert.rejects(earlier.handleBusinessEvents(messages.slice(3, 4)), { code: 'unavailable' })
    assert.equal(await earlier.contractsData.deadLetters.count(), 0)
  })

  it('get messages redelivered after the store was down, and miss none', async () => {
    const messages = await threeBusinessesWithEdits(services)
    trouble.away = true
    await assert.rejects(services.handleBusinessEvents(messages), StoreUnavailable)
    trouble.away = false
    await services.handleBusinessEvents(messages)
    assert.equal((await services.clients.listClients(ALL)).total, 3)
  })

  it('ignore fields that a later publisher adds', async () => {
    const [first] = await threeBusinessesWithEdits(services)
    const sign = await createSigningKeys(services.businessesData).signer()
    await services.handleBusinessEvents([await sign(withValue(present(first), { addedLater: true }))])
    assert.equal((await services.clients.listClients(ALL)).total, 1)
  })
})

async function threeBusinessesWithEdits(services: Services): Promise<TopicMessage[]> {
  const { businesses } = services
  for (const legalName of ['One', 'Two', 'Three']) {
    const { id } = present((await businesses.createBusiness(aBusiness({ legalName }))).business)
    await businesses.editBusiness({ id, operatedAs: `${legalName} & Co` })
    await businesses.editBusiness({ id, phone: '1' })
    await businesses.editBusiness({ id, operatedAs: legalName })
  }
  return await publishedBy(services)
}

function withHeaders(message: TopicMessage, headers: Partial<TopicMessage['headers']>): TopicMessage {
  return { ...message, headers: { ...message.headers, ...headers } as TopicMessage['headers'] }
}
