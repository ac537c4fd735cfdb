import assert from 'node:assert/strict'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { assertInvalid } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'

overEachTransport('Contracts over REST', (call) => {
  it('a creation answers 201 with the whole record in the order of the specification', async () => {
    const given = {
      ...aNewContract(),
      clientId: 'ABCDEF00-1111-1111-1111-111111111111',
      serviceFee: 19.99,
      taxPercent: 8.25,
    }
    const answer = await call('POST', '/contracts', { ...given, serviceDate: '2026-01-31', notes: ' as given ' })
    assert.equal(answer.status, 201, answer.text)
    const { id, createdAt } = answer.body
    assert.equal(
      answer.text,
      JSON.stringify({
        id,
        clientId: 'abcdef00-1111-1111-1111-111111111111',
        serviceName: 'Annual accounts',
        serviceType: 'bookkeeping',
        serviceFee: 19.99,
        taxPercent: 8.25,
        totalFeeWithTax: 21.639175,
        serviceDate: '2026-01-31T00:00:00.000Z',
        notes: ' as given ',
        createdAt,
        updatedAt: createdAt,
      }),
    )
  })

  it('fields that are omitted on creation get their defaults', async () => {
    const { taxPercent: _, ...given } = aNewContract()
    const before = new Date().toISOString().slice(0, 10)
    const { body } = await call('POST', '/contracts', given)
    const after = new Date().toISOString().slice(0, 10)
    assert.deepEqual([body.taxPercent, body.totalFeeWithTax, body.notes], [0, 150, ''])
    assert.ok([before, after].map((day) => `${day}T00:00:00.000Z`).includes(body.serviceDate))
  })

  it('an edit changes only the given fields, recalculates the total and increments the version', async () => {
    const { body: contract } = await call('POST', '/contracts', aNewContract())
    const answer = await call('PATCH', `/contracts/${contract.id}`, { taxPercent: 20, notes: 'raised' })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('etag'), '"2"')
    const { updatedAt } = answer.body
    assert.deepEqual(answer.body, { ...contract, taxPercent: 20, totalFeeWithTax: 180, notes: 'raised', updatedAt })
    assert.ok(updatedAt >= contract.createdAt)
    assert.equal((await call('GET', `/contracts/${contract.id}`)).text, answer.text)
  })

  it('a record can be sent back with its serviceDate as read', async () => {
    const serviceDate = '2024-02-29T00:00:00.000Z'
    const { body: contract } = await call('POST', '/contracts', aNewContract({ serviceDate }))
    assert.equal(contract.serviceDate, serviceDate)
    const { id, totalFeeWithTax, createdAt, updatedAt, ...fields } = contract
    const unchanged = await call('PATCH', `/contracts/${id}`, fields)
    assert.deepEqual([unchanged.status, unchanged.headers.get('etag')], [200, '"1"'])
    const copy = await call('POST', '/contracts', fields)
    assert.equal(copy.body.serviceDate, serviceDate)
  })

  it('a business’s id in place of its clientId is refused, and the error names the clientId', async () => {
    const { body: business } = await call('POST', '/businesses', { legalName: 'Acme' })
    const { body: contract } = await call('POST', '/contracts', aNewContract({ clientId: business.clientId }))
    const ofBusiness = { clientId: business.id }
    for (const answer of [
      await call('POST', '/contracts', aNewContract(ofBusiness)),
      await call('PATCH', `/contracts/${contract.id}`, ofBusiness),
    ]) {
      assertInvalid(answer, ['body /clientId business_id'])
      assert.match(answer.body.errors[0].message, new RegExp(business.clientId))
    }
  })

  it('an edit may also be a merge patch', async () => {
    const { body } = await call('POST', '/contracts', aNewContract())
    const type = { 'content-type': 'application/merge-patch+json; charset=UTF-8' }
    assert.equal((await call('PATCH', `/contracts/${body.id}`, { notes: 'x' }, type)).body.notes, 'x')
  })

  it('every violation in path, query and body is reported together', async () => {
    const body =
      '{"serviceName":" ","serviceFee":1e400,"taxPercent":0.00001,"totalFeeWithTax":1,"x":null,"__proto__":{}}'
    assertInvalid(await call('PATCH', '/contracts/01?limit=5&a%5Bb%5D=1', body, { 'if-match': 'x' }), [
      'path /id invalid_id',
      'query /limit unknown_field',
      'query /a[b] unknown_field',
      'header /If-Match malformed_header',
      'body /serviceName blank',
      'body /serviceFee out_of_range',
      'body /taxPercent too_many_decimals',
      'body /totalFeeWithTax computed_field',
      'body /x unknown_field',
      'body /__proto__ unknown_field',
    ])
  })

  it('a creation without its required fields names each of them', async () => {
    assertInvalid(await call('POST', '/contracts', {}), [
      'body /clientId required',
      'body /serviceName required',
      'body /serviceType required',
      'body /serviceFee required',
    ])
  })

  for (const [field, value, code] of [
    ['clientId', '11111111-1111-1111-1111-11111111111', 'invalid_uuid'],
    ['serviceName', 'x'.repeat(201), 'too_long'],
    ['serviceType', '\u2003', 'blank'],
    ['serviceType', 'x'.repeat(101), 'too_long'],
    ['serviceDate', '2026-01-31T09:30:00.000Z', 'invalid_date'],
    ['serviceDate', '2026-01-31T00:00:00Z', 'invalid_date'],
    ['serviceDate', '2026-02-29T00:00:00.000Z', 'invalid_date'],
    ['serviceFee', '19.99', 'wrong_type'],
    ['serviceFee', -1_000_000_000_001, 'out_of_range'],
    ['serviceFee', 1_000_000_000_001, 'out_of_range'],
    ['serviceFee', true, 'wrong_type'],
    ['taxPercent', 1000.5, 'out_of_range'],
    ['taxPercent', null, 'wrong_type'],
    ['serviceDate', '2026-02-29', 'invalid_date'],
    ['serviceDate', '', 'invalid_date'],
    ['notes', 'x'.repeat(10_001), 'too_long'],
    ['notes', 'a\0b', 'invalid_characters'],
    ['notes', '\ud800', 'invalid_characters'],
    ['notes', ['x'], 'wrong_type'],
    ['notes', null, 'wrong_type'],
  ] as const) {
    it(`${field} ${JSON.stringify(value).slice(0, 30)} is refused as ${code}, on creation and on edit`, async () => {
      const { body } = await call('POST', '/contracts', aNewContract())
      const bad = { [field]: value }
      assertInvalid(await call('POST', '/contracts', aNewContract(bad)), [`body /${field} ${code}`])
      assertInvalid(await call('PATCH', `/contracts/${body.id}`, bad), [`body /${field} ${code}`])
    })
  }

  it('the length of texts is counted in code points, and they are stored as given', async () => {
    const serviceName = '😀'.repeat(200)
    const answer = await call('POST', '/contracts', aNewContract({ serviceName, notes: '\u0001 e\u0301 \u2028' }))
    assert.deepEqual([answer.body.serviceName, answer.body.notes], [serviceName, '\u0001 e\u0301 \u2028'])
  })

  for (const id of ['0', '01', '-1', '1.0', '9007199254740992', 'x', '1%2F2', '%00', '%D9%A1']) {
    it(`the id ${id} is refused`, async () => {
      assertInvalid(await call('GET', `/contracts/${id}`), ['path /id invalid_id'])
    })
  }
})
