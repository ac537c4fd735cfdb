import assert from 'node:assert/strict'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import { waitFor } from '../support/wait-for.ts'

overEachTransport('Clients over REST', (call) => {
  it('a new business is a client immediately, and in the list soon after', async () => {
    const { body: business } = await call('POST', '/businesses', { legalName: 'Acme', operatedAs: 'Acme Tools' })
    const client = {
      clientId: business.clientId,
      clientType: 'business',
      businessId: business.id,
      displayName: 'Acme Tools',
      createdAt: business.createdAt,
      updatedAt: business.createdAt,
    }
    const answer = await call('GET', `/clients/${business.clientId.toUpperCase()}`)
    assert.deepEqual([answer.status, answer.text], [200, JSON.stringify(client)])
    const listed = await waitFor(async () => {
      const { body } = await call('GET', '/clients?search=acme%20TOOLS&clientType=business')
      return body.total > 0 && body
    })
    assert.deepEqual(listed, { clients: [client], total: 1 })
  })

  it('clients can be listed after a given one, and filtered by when their businesses last changed', async () => {
    const names = ['Paged 1', 'Paged 2', 'Paged 3']
    const made = []
    for (const legalName of names) made.push((await call('POST', '/businesses', { legalName })).body)
    const list = async (query: string) => (await call('GET', `/clients?search=paged&${query}`)).body
    await waitFor(async () => (await list('')).total === 3, { what: 'the topic to deliver them' })
    const [oldest, middle, newest] = made.map(({ clientId }) => clientId)
    const idsOf = ({ clients }: { clients: { clientId: string }[] }) => clients.map(({ clientId }) => clientId)
    const first = await list('limit=1')
    assert.deepEqual([idsOf(first), first.total], [[newest], 3])
    assert.deepEqual(idsOf(await list(`after=${newest.toUpperCase()}`)), [middle, oldest])
    const { body: edited } = await call('PATCH', `/businesses/${made[0].id}`, { phone: '1' })
    const since = async () => idsOf(await list(`updatedSince=${encodeURIComponent(edited.updatedAt)}`))
    await waitFor(async () => (await since()).includes(oldest), { what: 'the topic to deliver the edit' })
    assert.equal((await list('updatedSince=2999-01-01T00:00:00Z')).total, 0)
  })

  it('names of several clients are returned in the requested order, with null for an unknown one', async () => {
    const { body: business } = await call('POST', '/businesses', { legalName: 'Named' })
    const unknown = '11111111-1111-1111-1111-111111111111'
    const names = (ids: string, name = 'ids') => call('GET', `/clients/names?${name}=${ids}`)
    const ids = `${unknown},${business.clientId.toUpperCase()},${unknown}`
    const { clients } = await waitFor(async () => {
      const { body } = await names(ids)
      return body.clients[1].displayName !== null && body
    })
    const [none, named] = [
      { clientId: unknown, displayName: null },
      { clientId: business.clientId, displayName: 'Named' },
    ]
    assert.deepEqual(clients, [none, named, none])
    assert.equal((await names(Array(100).fill(unknown).join())).status, 200)
    assertInvalid(await names(Array(101).fill(unknown).join()), ['query /ids out_of_range'])
    assertInvalid(await names(`${unknown},7`), ['query /ids invalid_uuid'])
    assertInvalid(await call('GET', '/clients/names'), ['query /ids required'])
    assertInvalid(await names(unknown, `ids=${unknown}&clientIds`), ['query /ids not_together'])
    assertInvalid(await names(`${unknown},7`, 'clientIds'), ['query /clientIds invalid_uuid'])
    assert.deepEqual((await names(ids, 'clientIds')).body.clients, [none, named, none])
  })

  it('an unknown client is not_found', async () => {
    assertProblem(await call('GET', '/clients/11111111-1111-1111-1111-111111111111'), 404, 'not_found')
  })

  it('invalid parameters, and writes, are refused', async () => {
    assertInvalid(await call('GET', '/clients/7?x=1'), ['path /clientId invalid_uuid', 'query /x unknown_field'])
    assertInvalid(await call('GET', '/clients?clientType=person&limit=0'), [
      'query /clientType not_allowed',
      'query /limit out_of_range',
    ])
    assertInvalid(await call('GET', '/clients?after=11111111-1111-1111-1111-111111111111'), [
      'query /after unknown_cursor',
    ])
    assertProblem(await call('POST', '/clients', {}), 405, 'method_not_allowed')
  })
})
