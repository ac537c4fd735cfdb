import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { forAllAsync } from '../support/for-all.ts'
import { overTransport } from '../support/gateway-fixture.ts'
import { numberTexts } from '../support/number-texts.ts'
import { openApi } from '../support/openapi-document.ts'
import { assertProblem } from '../support/problem-assertions.ts'
import { aNewContract, type RestAnswer } from '../support/rest.ts'

const FIELDS = [
  ...['id', 'clientId', 'serviceName', 'serviceType', 'serviceFee', 'taxPercent', 'totalFeeWithTax', 'serviceDate'],
  ...['notes', 'createdAt', 'legalName', 'operatedAs', 'taxId', 'phone', 'email', 'ownershipType', 'incorporationDate'],
  ...['closedThrough', 'reason', 'code', 'state'],
  ...['__proto__', 'constructor', 'toString', ''],
]
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.double(),
  fc.constantFrom(
    '11111111-1111-1111-1111-111111111111',
    '2026-02-29',
    '2026-01-31',
    'a@b.co',
    '',
    1e308,
    1e-308,
    'other',
  ),
)
const body = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), fc.string()), value, { maxKeys: 8 }) },
  { weight: 1, arbitrary: fc.jsonValue() },
)
const name = fc.oneof(
  fc.constantFrom('limit', 'offset', 'search', 'clientId', 'clientType', 'after', 'updatedSince', 'asOf'),
  fc.constantFrom('serviceDateFrom', 'serviceDateTo', 'serviceType', 'clientName', 'email', 'taxId'),
  fc.constantFrom('groupBy', 'since', 'until', 'bom', 'clientIds', 'types', 'by', 'wait'),
  fc.string({ unit: 'binary' }),
)
const parameter = fc.oneof(
  fc.nat().map(String),
  fc.string({ unit: 'binary', maxLength: 250 }),
  fc.constantFrom('1', '2026-01-31', '2026-01-31T00:00:00Z', '9999-12-31T23:59:59.9999-23:59', '0000-01-01T00:00:00Z'),
  fc.constantFrom('11111111-1111-1111-1111-111111111111', 'month', 'month,clientId', 'serviceType', 'true'),
)
const query = fc.array(fc.tuple(name, parameter), { maxLength: 4 })
/** A gateway alone has no keys and webhooks of its own, and `/mcp` answers in another form. */
const IN_OTHER_TESTS = /^\/(api-keys|webhooks|mcp)/
const IDS = ['1', 'x', '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b']
const path = fc.constantFrom(
  ...Object.keys(openApi.paths)
    .filter((template) => !IN_OTHER_TESTS.test(template))
    .flatMap((template) => [...new Set(IDS.map((id) => template.replace(/\{\w+\}/, id)))]),
  '/nowhere',
)

overTransport('grpc', 'Random requests', (call) => {
  it('with any body never end in a 5xx, and every refusal is a well-formed problem', async () => {
    const method = fc.constantFrom('POST', 'PATCH', 'PUT')
    await forAllAsync([method, path, body], { numRuns: 150 }, async (verb, target, json) => {
      assertSound(await call(verb, target, JSON.stringify(json)))
    })
  })

  it('with any query never end in a 5xx, and every refusal is a well-formed problem', async () => {
    await forAllAsync([path, query], { numRuns: 150 }, async (target, pairs) => {
      const text = pairs.map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('='))
      assertSound(await call('GET', `${target}?${text.join('&')}`))
    })
  })

  it('with any headers never end in a 5xx, and every refusal is a well-formed problem', async () => {
    const name = fc.constantFrom(
      ...['if-match', 'if-none-match', 'idempotency-key', 'closing-override', 'accept', 'accept-encoding'],
      ...['content-type', 'x-request-id', 'range', 'cookie', 'origin'],
    )
    const text = fc.oneof(
      fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) }),
      fc.constantFrom('*', '"1"', 'W/"1"', '"1', '"1", "2"', 'a%20b', '%', 'text/csv', 'bytes=0-'),
    )
    const method = fc.constantFrom('GET', 'POST', 'PATCH')
    await forAllAsync(
      [method, path, fc.dictionary(name, text, { maxKeys: 4 })],
      { numRuns: 150 },
      async (verb, target, headers) => {
        assertSound(await call(verb, target, verb === 'GET' ? undefined : '{}', headers))
      },
    )
  })

  it('with any bytes as body never end in a 5xx', async () => {
    await forAllAsync([fc.uint8Array()], { numRuns: 100 }, async (bytes) => {
      assertSound(await call('POST', '/contracts', bytes))
    })
  })

  it('with any bytes as a CSV file never end in a 5xx, and every refusal is a well-formed problem', async () => {
    const piece = fc.constantFrom(
      ...['client', 'clientId', 'serviceName', 'legalName', ',', ';', '"', '\n', '\r\n', "'", '\ufeff', 'é'],
    )
    const file = fc.oneof(
      fc.uint8Array(),
      fc.array(piece).map((pieces) => Buffer.from(pieces.join(''))),
    )
    const csvPath = fc.constantFrom('/contracts.csv?dryRun=true', '/businesses.csv', '/contracts.csv')
    await forAllAsync([csvPath, file], { numRuns: 100 }, async (target, bytes) => {
      const headers = { 'content-type': 'text/csv', 'idempotency-key': randomUUID() }
      assertSound(await call('POST', target, bytes, headers))
    })
  })

  it('with any number as the fee are accepted, or refused for that field', async () => {
    await forAllAsync([numberTexts], { numRuns: 100, examples: [[`1e-${'9'.repeat(308)}`]] }, async (number) => {
      const json = JSON.stringify(aNewContract({ serviceFee: 0 })).replace('"serviceFee":0', `"serviceFee":${number}`)
      const answer = await call('POST', '/contracts', json)
      if (answer.status === 201) return
      const { errors } = assertProblem(answer, 400, 'validation_failed')
      for (const { pointer } of errors) assert.equal(pointer, '/serviceFee')
    })
  })
})

function assertSound(answer: RestAnswer): void {
  if (answer.status >= 400) assertProblem(answer, answer.status, answer.body.code)
  assert.ok(answer.status < 500, answer.text)
}
