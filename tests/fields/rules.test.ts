import assert from 'node:assert/strict'
import Big from 'big.js'
import fc from 'fast-check'
import { z } from 'zod'
import { calendarDate } from '../../shared/fields/calendar-date.ts'
import { check } from '../../shared/fields/check.ts'
import { contractFields } from '../../shared/fields/contract-fields.ts'
import { emailOrEmpty } from '../../shared/fields/email.ts'
import { parseJson } from '../../shared/fields/exact-number.ts'
import { rulesOf } from '../../shared/fields/field-table.ts'
import { contractNumberText, uuidLike } from '../../shared/fields/identifiers.ts'
import { limit, limitText, offsetText, search } from '../../shared/fields/lists.ts'
import { text } from '../../shared/fields/text.ts'
import { forAll } from '../support/for-all.ts'
import { isWithin, numberTexts } from '../support/number-texts.ts'

const { serviceFee, taxPercent } = rulesOf(contractFields, 'rule')
const { serviceFee: jsonServiceFee } = rulesOf(contractFields, 'jsonRule')

describe('A text', () => {
  it('is measured in code points, not in UTF-16 units', () => {
    const rule = text({ min: 1, max: 3 })
    assert.equal(outcome(rule, '😀😀😀'), '😀😀😀')
    assert.deepEqual(outcome(rule, '😀😀😀😀'), ['too_long'])
    assert.deepEqual(outcome(rule, 'abcd'), ['too_long'])
  })

  it('must not contain NUL or a lone surrogate, and is otherwise kept unchanged', () => {
    const rule = text({ min: 0, max: 100 })
    for (const bad of ['a\0b', 'a\uD800', '\uDC00b']) assert.deepEqual(outcome(rule, bad), ['invalid_characters'])
    for (const good of ['', '  a ', '\u0001', 'e\u0301', '.*%_\\']) assert.equal(outcome(rule, good), good)
  })

  it('needs more than white space if it must not be empty', () => {
    const rule = text({ min: 1, max: 10 })
    for (const blank of ['', ' ', '\t\n', '\u00A0\u2003', '\u0085']) assert.deepEqual(outcome(rule, blank), ['blank'])
  })
})

describe('A decimal', () => {
  it('must be in plain notation', () => {
    for (const bad of ['', '1e2', '+1', '.5', '5.', '1,000', ' 1', '0x1', 'NaN', '١', '1'.repeat(65)]) {
      assert.deepEqual(outcome(serviceFee, bad), ['invalid_number'], bad)
    }
    const [comma] = serviceFee.safeParse('8,25').error?.issues ?? []
    assert.match(
      comma?.message ?? '',
      /^Has a comma: decimals need a point, and thousands no separator\. Give a number /,
    )
  })

  it('keeps its exact value, in one normal form', () => {
    const digits = fc.array(fc.constantFrom(...'00123456789'), { maxLength: 14 }).map((all) => all.join(''))
    const examples: [string, string, string][] = [
      ['-', '0', '0000'],
      ['-', '1000000000000', ''],
      ['', '1000000000000', ''],
    ]
    forAll([fc.constantFrom('', '-'), digits, digits], { examples }, (sign, whole, fraction) => {
      const given = `${sign}${whole || '0'}${fraction && `.${fraction}`}`
      const number = new Big(given)
      const isWithin = number.abs().lte(1e12) && number.round(4, Big.roundDown).eq(number)
      const found = outcome(serviceFee, given)
      if (isWithin) assert.equal(found, number.plus(0).toFixed())
      else assert.ok(Array.isArray(found), given)
    })
  })

  it('must be within its range and its number of decimals', () => {
    assert.deepEqual(outcome(serviceFee, '1000000000000.0001'), ['out_of_range'])
    assert.deepEqual(outcome(serviceFee, '-1000000000000.0001'), ['out_of_range'])
    assert.deepEqual(outcome(taxPercent, '-0.01'), ['out_of_range'])
    assert.deepEqual(outcome(taxPercent, '1000.0001'), ['out_of_range'])
    assert.deepEqual(outcome(taxPercent, '8.25001'), ['too_many_decimals'])
  })

  it('is the same whether sent as a JSON number or as text', () => {
    forAll([fc.integer({ min: -1e10, max: 1e10 }), fc.integer({ min: 0, max: 4 })], (digits, decimals) => {
      const plain = (digits / 10 ** decimals).toFixed(decimals)
      assert.equal(outcome(jsonServiceFee, Number(plain)), outcome(serviceFee, plain))
    })
    assert.equal(outcome(jsonServiceFee, 1e12), '1000000000000')
    assert.deepEqual(outcome(jsonServiceFee, 1e-7), ['too_many_decimals'])
    assert.deepEqual(outcome(jsonServiceFee, 1e300), ['out_of_range'])
    assert.deepEqual(outcome(jsonServiceFee, '5'), ['wrong_type'])
    assert.deepEqual(outcome(jsonServiceFee, undefined), ['required'])
  })

  it('is checked by its value, whatever its notation', () => {
    forAll([numberTexts], { numRuns: 2_000 }, (text) => {
      const found = outcome(jsonServiceFee, parseJson(text))
      const expected = isWithin(text, { max: 10n ** 12n, decimals: 4 })
      assert.equal(typeof found === 'string', expected, `${text} → ${found}`)
      const plain = outcome(serviceFee, text)
      if (typeof plain === 'string') assert.equal(plain, found)
    })
  })
})

describe('A calendar date', () => {
  it('must exist', () => {
    for (const good of ['2024-02-29', '2000-02-29', '2026-12-31', '0001-01-01'])
      assert.equal(outcome(calendarDate, good), good)
    for (const bad of [
      '2023-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-13-01',
      '0000-01-01',
      '2026-1-1',
      '20260101',
      '',
      '2026-01-01T00:00:00Z',
    ]) {
      assert.deepEqual(outcome(calendarDate, bad), ['invalid_date'], bad)
    }
  })
})

describe('An e-mail address', () => {
  it('is one that SMTP delivers, or empty', () => {
    const longest = `${'l'.repeat(64)}@${'d'.repeat(63)}.${'d'.repeat(63)}.${'d'.repeat(57)}.com`
    assert.equal(longest.length, 254)
    for (const good of [
      '',
      'a@b.co',
      "o'brien+x@sub.example.ie",
      'a!b@xn--bcher-kva.example',
      'a@b.xn--p1ai',
      longest,
    ]) {
      assert.equal(outcome(emailOrEmpty, good), good)
    }
  })

  it('can be nothing else', () => {
    const bad = ['a', 'a@', '@b.co', 'a@b', 'a b@c.de', 'a@b..co', '.a@b.co', 'a.@b.co', 'a@-b.co', 'a@b.c', 'a@b@c.de']
    for (const value of [...bad, 'a@b.co\n', 'a\0@b.co', ' ', `${'l'.repeat(65)}@b.co`, 'a@b.123']) {
      assert.deepEqual(outcome(emailOrEmpty, value), ['invalid_email'], JSON.stringify(value))
    }
    assert.deepEqual(outcome(emailOrEmpty, `a@${'b'.repeat(300)}.co`), ['too_long', 'invalid_email'])
  })
})

describe('Identifiers', () => {
  it('a UUID is any 8-4-4-4-12 hexadecimal text, converted to lower case', () => {
    assert.equal(outcome(uuidLike, 'ABCDEF00-0000-0000-0000-00000000000F'), 'abcdef00-0000-0000-0000-00000000000f')
    for (const bad of [
      '',
      'abcdef00000000000000000000000000',
      '{abcdef00-0000-0000-0000-00000000000f}',
      'gbcdef00-0000-0000-0000-00000000000f',
      'abcdef00-0000-0000-0000-00000000000f\n',
    ]) {
      assert.deepEqual(outcome(uuidLike, bad), ['invalid_uuid'], bad)
    }
  })

  it('a contract number is a whole number up to 2^53 - 1 without leading zeros', () => {
    assert.equal(outcome(contractNumberText, '9007199254740991'), Number.MAX_SAFE_INTEGER)
    for (const bad of ['0', '01', '-1', '1.0', '1e3', '', '9007199254740992', '99999999999999999', 'x', '1 ']) {
      assert.deepEqual(outcome(contractNumberText, bad), ['invalid_id'], bad)
    }
  })
})

describe('List parameters', () => {
  it('limit and offset are decimal digits within their range', () => {
    assert.equal(outcome(limitText, undefined), 50)
    assert.equal(outcome(limitText, '100'), 100)
    assert.equal(outcome(offsetText, '1000000000'), 1_000_000_000)
    for (const bad of ['', '1e1', '+5', '5.0', ' 5', '-1', '٥'])
      assert.deepEqual(outcome(limitText, bad), ['invalid_number'], bad)
    for (const bad of ['0', '101', '9'.repeat(400)]) assert.deepEqual(outcome(limitText, bad), ['out_of_range'], bad)
    assert.deepEqual(outcome(offsetText, '1000000001'), ['out_of_range'])
  })

  it('a limit of 0 over gRPC, where 0 means absent, is the default', () => {
    assert.equal(outcome(limit, 0), 50)
    assert.deepEqual(outcome(limit, 101), ['out_of_range'])
    assert.deepEqual(outcome(limit, -1), ['out_of_range'])
  })

  it('search accepts up to 200 characters', () => {
    assert.equal(outcome(search, 'é'.repeat(200)), 'é'.repeat(200))
    assert.deepEqual(outcome(search, 'é'.repeat(201)), ['too_long'])
  })
})

/** The value as the rule normalises it, or the codes of the violations. */
function outcome(rule: z.ZodType, value: unknown): unknown {
  const checked = check(z.strictObject({ value: rule }), { value })
  return checked.type === 'valid' ? checked.value.value : checked.violations.map((violation) => violation.code)
}
