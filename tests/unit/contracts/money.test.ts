import assert from 'node:assert/strict'
import fc from 'fast-check'
import { totalWithTax } from '../../../services/contracts/contract/decide.ts'
import { forAll } from '../../support/for-all.ts'

const FEE_MAX = 10n ** 16n // 1,000,000,000,000 with 4 decimals
const TAX_MAX = 10n ** 7n // 1,000 with 4 decimals

/** Numbers of ten-thousandths over the whole range, with those near its ends and near zero well represented. */
const tenThousandths = (max: bigint) =>
  fc.oneof(fc.bigInt({ min: 0n, max }), fc.bigInt({ min: 0n, max: 200n }), fc.constantFrom(0n, 1n, max - 1n, max))
const fees = fc.tuple(fc.constantFrom(1n, -1n), tenThousandths(FEE_MAX)).map(([sign, size]) => sign * size)

describe('The total of a contract', () => {
  it('equals that of exact rational arithmetic over the whole range of fees and taxes', () => {
    forAll([fees, tenThousandths(TAX_MAX)], { numRuns: 2000 }, (fee, tax) => {
      // fee/10^4 × (1 + tax/10^6) = fee × (10^6 + tax) / 10^10
      const total = parse(totalWithTax(text(fee), text(tax)))
      assert.equal(total.numerator * 10n ** 10n, fee * (1_000_000n + tax) * total.denominator)
    })
  })

  it('is in plain notation without trailing zeros', () => {
    forAll([fees, tenThousandths(TAX_MAX)], (fee, tax) => {
      assert.match(totalWithTax(text(fee), text(tax)), /^(0|-?(0(?=\.)|[1-9]\d*)(\.\d*[1-9])?)$/)
    })
  })
})

function text(units: bigint): string {
  const size = units < 0n ? -units : units
  return `${units < 0n ? '-' : ''}${size / 10_000n}.${(size % 10_000n).toString().padStart(4, '0')}`
}

function parse(decimal: string): { numerator: bigint; denominator: bigint } {
  const [whole = '', fraction = ''] = decimal.split('.')
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) }
}
