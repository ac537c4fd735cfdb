import assert from 'node:assert/strict'
import { z } from 'zod'
import { businessFields } from '../../shared/fields/business-fields.ts'
import { type Checked, check, toPointer } from '../../shared/fields/check.ts'
import { contractFields } from '../../shared/fields/contract-fields.ts'
import { uuidLike } from '../../shared/fields/identifiers.ts'

const serviceName = contractFields.serviceName.rule
const serviceFee = contractFields.serviceFee.jsonRule
const schema = z.strictObject({
  clientId: uuidLike,
  serviceName,
  serviceFee,
  taxPercent: contractFields.taxPercent.jsonRule.optional(),
  ownershipType: businessFields.ownershipType.rule,
})
const valid = { clientId: '11111111-1111-1111-1111-11111111111A', serviceName: 'Audit', serviceFee: 19.99 }

describe('Checking an object against the field rules', () => {
  it('returns the value as normalised by the rules', () => {
    assert.deepEqual(check(schema, valid), {
      type: 'valid',
      value: { clientId: '11111111-1111-1111-1111-11111111111a', serviceName: 'Audit', serviceFee: '19.99' },
    })
  })

  it('reports all violations together, each with its field and its stable code', () => {
    const input = JSON.parse('{"serviceName":" ","serviceFee":1e400,"ownershipType":5,"id":7,"__proto__":{},"a/b~c":1}')
    assert.deepEqual(codes(check(schema, input, ['id'])), [
      ['/clientId', 'required'],
      ['/serviceName', 'blank'],
      ['/serviceFee', 'out_of_range'],
      ['/ownershipType', 'wrong_type'],
      ['/id', 'computed_field'],
      ['/__proto__', 'unknown_field'],
      ['/a~1b~0c', 'unknown_field'],
    ])
  })

  it('reports every rule that one value breaks', () => {
    assert.deepEqual(codes(check(schema, { ...valid, taxPercent: -0.00001 })), [
      ['/taxPercent', 'out_of_range'],
      ['/taxPercent', 'too_many_decimals'],
    ])
    assert.deepEqual(codes(check(schema, { ...valid, serviceName: `\0${'x'.repeat(200)}` })), [
      ['/serviceName', 'invalid_characters'],
      ['/serviceName', 'too_long'],
    ])
  })

  it('refuses a value that is not in the list, and anything but an object', () => {
    assert.deepEqual(codes(check(schema, { ...valid, ownershipType: 'Private' })), [['/ownershipType', 'not_allowed']])
    for (const input of [null, [], 'text', 5, true]) assert.deepEqual(codes(check(schema, input)), [['', 'wrong_type']])
  })

  it('says what was wrong, what is expected and what to do', () => {
    const checked = check(schema, { serviceName: 'x'.repeat(201), serviceFee: null, nme: 1 })
    assert.deepEqual(checked.type === 'invalid' && checked.violations.map((violation) => violation.message), [
      'Required, but missing. Give a UUID: 8-4-4-4-12 hexadecimal digits.',
      'Has 201 characters; at most 200 are allowed. Shorten it.',
      'null is not accepted here. Give a number from -1,000,000,000,000 to 1,000,000,000,000 with at most 4 decimals.',
      'Unknown name. Remove it, or use one of: clientId, serviceName, serviceFee, taxPercent, ownershipType.',
    ])
  })

  it('gives an example, and the value for none', () => {
    const { email, incorporationDate } = businessFields
    const optional = z.strictObject({ email: email.rule, incorporationDate: incorporationDate.rule })
    const checked = check(optional, { email: 'x', incorporationDate: null })
    assert.deepEqual(checked.type === 'invalid' && checked.violations.map(({ message }) => message), [
      'Not a valid e-mail address. Give a valid e-mail address of up to 254 ASCII characters, for example info@example.com, or "" for none.',
      'null is not accepted here. Give a calendar date as YYYY-MM-DD from the year 0001 on, for example 2026-01-31, or "" for none.',
    ])
  })

  it('names the fields of the object that has an unknown one', () => {
    const nested = z.strictObject({ reason: z.string(), fields: schema.partial(), list: z.array(z.strictObject({})) })
    const checked = check(nested, { reason: 'x', fields: { nme: 1 }, list: [{ nme: 1 }], nme: 1 })
    assert.deepEqual(
      checked.type === 'invalid' && checked.violations.map(({ pointer, message }) => [pointer, message]),
      [
        [
          '/fields/nme',
          'Unknown name. Remove it, or use one of: clientId, serviceName, serviceFee, taxPercent, ownershipType.',
        ],
        ['/list/0/nme', 'Unknown name. Remove it.'],
        ['/nme', 'Unknown name. Remove it, or use one of: reason, fields, list.'],
      ],
    )
  })

  it('says which bound a number or a list exceeds', () => {
    const bounded = z.object({ version: z.int().min(1), names: z.array(z.string()).max(1_000), wait: z.int().max(5) })
    const checked = check(bounded, { version: 0, names: Array(1_001).fill(''), wait: 6 })
    const violation = (pointer: string, message: string) => ({ pointer, code: 'out_of_range', message })
    assert.deepEqual(checked.type === 'invalid' && checked.violations, [
      violation('/version', 'Out of range. Give at least 1.'),
      violation('/names', 'Out of range. Give at most 1,000.'),
      violation('/wait', 'Out of range. Give at most 5.'),
    ])
  })

  it('keeps messages short when very many fields are unknown', () => {
    const input = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x${index}`, 1]))
    const checked = check(schema, { ...valid, ...input })
    assert.equal(checked.type === 'invalid' && checked.violations.length, 1_000)
    assert.ok(JSON.stringify(checked).length < 120_000)
  })
})

describe('A JSON pointer', () => {
  it('escapes ~ and /', () => assert.equal(toPointer(['a/b', 0, '~']), '/a~1b/0/~0'))
})

function codes(checked: Checked<unknown>) {
  return checked.type === 'invalid' ? checked.violations.map(({ pointer, code }) => [pointer, code]) : 'valid'
}
