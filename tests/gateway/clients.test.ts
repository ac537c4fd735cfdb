import assert from 'node:assert/strict'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import { waitFor } from '../support/wait-for.ts'

overEachTransport('Clients over REST', (mint) => {
  it('a new business is a client at once, and in the list soon after', async () => {
    const { body: business } = await mint().call('POST', '/businesses', { legalName: 'Acme', operatedAs: 'Acme Tools' })
    const client = {
      clientId: business.clientId,
      clientType: 'business',
      businessId: business.id,
      displayName: 'Acme Tools',
      createdAt: business.createdAt,
      updatedAt: business.createdAt,
    }
    const answer = await mint().call('GET', `/clients/${business.clientId.toUpperCase()}`)
    assert.deepEqual([answer.status, answer.text], [200, JSON.stringify(client)])
    const listed = await waitFor(async () => {
      const { body } = await mint().call('GET', '/clients?search=acme%20TOOLS&clientType=business')
      return body.total > 0 && body
    })
    assert.deepEqual(listed, { clients: [client], total: 1 })
  })

  it('is renamed when operatedAs changes', async () => {
    const { body: business } = await mint().call('POST', '/businesses', { legalName: 'Old name' })
    await mint().call('PATCH', `/businesses/${business.id}`, { operatedAs: 'New name' })
    const renamed = await waitFor(async () => {
      const { body } = await mint().call('GET', `/clients/${business.clientId}`)
      return body.displayName === 'New name' && body
    })
    assert.ok(renamed.updatedAt >= renamed.createdAt)
  })

  it('a client that nobody knows is not_found', async () => {
    assertProblem(await mint().call('GET', '/clients/11111111-1111-1111-1111-111111111111'), 404, 'not_found')
  })

  it('refuses what it does not take', async () => {
    assertInvalid(await mint().call('GET', '/clients/7?x=1'), ['path /clientId invalid_uuid', 'query /x unknown_field'])
    assertInvalid(await mint().call('GET', '/clients?clientType=person&limit=0'), [
      'query /clientType not_allowed',
      'query /limit out_of_range',
    ])
    assertProblem(await mint().call('POST', '/clients', {}), 405, 'method_not_allowed')
  })
})
