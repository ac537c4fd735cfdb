import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { z } from 'zod'
import { schemasOf } from '../../gateway/records/kind-record.ts'
import { check } from '../../shared/fields/check.ts'
import { capitalised } from '../../shared/fields/rule.ts'
import { KINDS, type KindName } from '../../shared/kinds/registry.ts'
import { acceptedByDocument } from '../support/documented-answers.ts'
import { forAll } from '../support/for-all.ts'

/** The schemas of every kind of record: `ContractCreation`, `ContractChanges` … */
const schemas: Readonly<Record<string, z.ZodObject>> = Object.fromEntries(
  (Object.keys(KINDS) as KindName[]).flatMap((one) => {
    const { creation, changes } = schemasOf(one)
    return [
      [`${capitalised(one)}Creation`, creation],
      [`${capitalised(one)}Changes`, changes],
    ]
  }),
)

/** Values on both sides of the rules' limits; all numbers are ones that a double represents as written. */
const text = fc.oneof(
  fc.constantFrom(...['', ' ', '\u0085', '\u180e', '\ufeff', '\u2003\u3000', '\u001c', 'a\0b', ' x ', 'École', '😀']),
  fc.constantFrom(50, 51, 100, 101, 200, 201, 300, 301, 10_000, 10_001).map((length) => '😀'.repeat(length)),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)
const words = fc.constantFrom('public', 'non_profit', 'retail', 'other', 'Other', 'business')
const dates = fc.constantFrom(...['2026-01-31', '2026-02-29', '2024-02-29', '2026-1-31', '0000-01-01', '9999-12-31'])
const times = fc.constantFrom(
  ...['T00:00:00.000Z', 'T00:00:00.001Z', 'T00:00:00Z', 't00:00:00.000z', 'T00:00:00.000+00:00'],
)
const midnights = fc.tuple(dates, times).map(([date, time]) => date + time)
const uuids = fc.constantFrom(
  ...['11111111-1111-1111-1111-111111111111', 'ABCDEF00-0000-0000-0000-00000000000f', '{11111111}', 'x'.repeat(36)],
)
const label = fc.constantFrom(...['a', 'a.b', 'a..b', '.a', "o'x", 'a b', 'x'.repeat(64), 'x'.repeat(65), 'é', ''])
const domain = fc.constantFrom(...['b.co', 'B.CO', 'b', 'b-.co', 'x.xn--p1ai', `${'b'.repeat(64)}.co`, 'b.c', 'b.co.'])
const emails = fc.tuple(label, domain).map(([local, host]) => `${local}@${host}`)
const numbers = fc.oneof(
  fc.integer({ min: -1, max: 10_000_000 }).map((units) => units / 10_000),
  fc.constantFrom(0, -0.0001, 0.00001, 1.23456, 1_000, 1_000.0001, 19.99, 8.25),
  fc.constantFrom(1e12, 1e12 + 1, -1e12, -1e12 - 1, -19.99),
)
const anything = fc.oneof(fc.constantFrom(null, true, [], {}), text, words, dates, midnights, uuids, emails, numbers)

describe('The OpenAPI document and the parser agree on what may be sent', () => {
  for (const [name, schema] of Object.entries(schemas)) {
    it(`as a ${name}: which fields there are, and what each accepts`, () => {
      const good = goodBody(name)
      const field = fc.constantFrom(...Object.keys(schema.shape), 'id', 'unknown')
      forAll([field, fc.option(anything, { nil: undefined })], { numRuns: 2_000 }, (changed, value) => {
        const body = JSON.parse(JSON.stringify({ ...good, [changed]: value }))
        assert.equal(acceptedByDocument(name, body), check(schema, body).type === 'valid', JSON.stringify(body))
      })
    })
  }
})

/** A valid body, so that the outcome depends only on the changed field. */
function goodBody(name: string): object {
  if (name.endsWith('Changes')) return {}
  if (name === 'BusinessCreation') return { legalName: 'Acme' }
  const clientId = '11111111-1111-1111-1111-111111111111'
  return { clientId, serviceName: 'Audit', serviceType: 'tax', serviceFee: 1 }
}
