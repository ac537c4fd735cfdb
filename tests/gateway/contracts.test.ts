import assert from 'node:assert/strict'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { assertInvalid } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'

overEachTransport('Contracts over REST', (call) => {
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
})
