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
