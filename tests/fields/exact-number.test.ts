import assert from 'node:assert/strict'
import Big from 'big.js'
import fc from 'fast-check'
import { ExactNumber, parseJson } from '../../shared/fields/exact-number.ts'

/** The result of parsing a JSON number, as text. */
function numberOf(source: string): string {
  const value = parseJson(`{"a":"${'1'.repeat(20)}","fee":[${source}]}`) as { fee: [unknown] }
  const [fee] = value.fee
  return fee instanceof ExactNumber ? `exact ${fee.text}` : String(fee)
}

describe('Parsing JSON with exact numbers', () => {
  it('returns the numbers of JSON.parse unless they would lose digits', () => {
    for (const [source, number] of [
      ['0', '0'],
      ['-0.0', '0'],
      ['19.99', '19.99'],
      ['1e2', '100'],
      ['0.10000000000000000000', '0.1'],
      ['1000000000000.0000000', '1000000000000'],
      ['1e400', 'Infinity'],
    ] as const) {
      assert.equal(numberOf(source), number)
    }
  })

  it('keeps numbers exact that a double would change, each in one normal form', () => {
    for (const [source, exact] of [
      ['600000000000.0003', '600000000000.0003'],
      ['600000000000.00030', '600000000000.0003'],
      ['6000000000000003e-4', '600000000000.0003'],
      ['19.990000000000000001', '19.990000000000000001'],
      ['9007199254740993', '9007199254740993'],
      ['-1000000000000.00001', '-1000000000000.00001'],
      ['1e-400', '1e-400'],
      ['1e-999999999', '1e-999999999'],
      [`1e-0${'0'.repeat(30)}400`, '1e-400'],
      [`1e-${'9'.repeat(21)}`, '1e-1000000000'],
      [`-25e-${'9'.repeat(308)}`, '-2.5e-1000000000'],
    ] as const) {
      assert.equal(numberOf(source), `exact ${exact}`)
    }
  })

  it('never returns a number other than the one sent', () => {
    const source = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 25n }), fc.nat(25), fc.integer({ min: -330, max: 20 }))
      .map(([digits, point, exponent]) => {
        const text = String(digits).padStart(point + 1, '0')
        const whole = text.slice(0, text.length - point).replace(/^0+(?=\d)/, '')
        return `${whole}${point > 0 ? `.${text.slice(-point)}` : ''}${exponent === 0 ? '' : `e${exponent}`}`
      })
    fc.assert(
      fc.property(source, (sent) => assert.ok(new Big(numberOf(sent).replace('exact ', '')).eq(sent), sent)),
      { numRuns: 2_000 },
    )
  })

  it('otherwise behaves like JSON.parse, and refuses invalid JSON', () => {
    fc.assert(fc.property(fc.json(), (text) => assert.deepEqual(parseJson(text), JSON.parse(text))))
    const odd = '{"__proto__":{"a":1},"long":"12345678901234567","n":12345678901234567.5}'
    assert.deepEqual(Object.keys(parseJson(odd) as object), ['__proto__', 'long', 'n'])
    for (const bad of ['', '{', '{"a":01234567890123456}', '1234567890123456.', 'e-123']) {
      assert.throws(() => parseJson(bad), SyntaxError)
    }
  })

  it('leaves numbers as doubles among more than 1,000 values, which no rule accepts', () => {
    const numbers = (count: number) => parseJson(`[[${'1.00000000000000000001,'.repeat(count - 3)}0]]`)
    assert.ok((numbers(1_000) as unknown[][])[0]?.[0] instanceof ExactNumber)
    assert.equal((numbers(1_001) as unknown[][])[0]?.[0], 1)
  })
})
