import assert from 'node:assert/strict'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { assertInvalid } from '../support/problem-assertions.ts'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const full = {
  legalName: 'Nordlicht Energie GmbH',
  operatedAs: 'Nordlicht',
  businessNumber: '812 345',
  taxId: 'DE812345678',
  phone: '+49 40 1234',
  email: 'info@nordlicht.example',
  ownershipType: 'private',
  industryType: 'service',
  incorporationDate: '1998-04-30',
}

overEachTransport('Businesses over REST', (call) => {
  it('a creation answers 201 with the whole record in the order of the specification', async () => {
    const answer = await call('POST', '/businesses', full)
    assert.equal(answer.status, 201, answer.text)
    const { id, clientId, createdAt } = answer.body
    assert.equal(answer.text, JSON.stringify({ id, clientId, ...full, createdAt, updatedAt: createdAt }))
    assert.match(id, UUID_V7)
    assert.match(clientId, UUID_V7)
    assert.notEqual(id, clientId)
    assert.equal((await call('GET', `/businesses/${id.toUpperCase()}`)).text, answer.text)
  })
  it('an edit sets and clears fields', async () => {
    const { body: business } = await call('POST', '/businesses', full)
    const path = `/businesses/${business.id}`
    const cleared = await call('PATCH', path, { taxId: null, email: '', incorporationDate: '', phone: '' })
    assert.deepEqual([cleared.status, cleared.headers.get('etag')], [200, '"2"'])
    const { updatedAt } = cleared.body
    assert.deepEqual(cleared.body, { ...business, taxId: null, email: '', incorporationDate: '', phone: '', updatedAt })
    const again = await call('PATCH', path, { taxId: '', email: '' })
    assert.deepEqual([again.text, again.headers.get('etag')], [cleared.text, '"2"'])
  })

  it('a creation requires a legal name', async () => {
    assertInvalid(await call('POST', '/businesses', {}), ['body /legalName required'])
  })
})
