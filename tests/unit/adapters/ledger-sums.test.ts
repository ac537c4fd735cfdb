import assert from 'node:assert/strict'
import fc from 'fast-check'
import { encodeAmount, toDecimal, toScaled } from '../../../shared/adapters/sqlite/sums/amounts.ts'

const LARGEST = 10n ** 24n - 1n
const size = fc.oneof(
  fc.bigInt({ min: 0n, max: LARGEST }),
  fc.constantFrom(0n, 1n, 10n ** 10n, 10n ** 16n - 1n, LARGEST),
)
const scaled = fc.tuple(fc.constantFrom(1n, -1n), size).map(([sign, units]) => sign * units)

describe('A ledger’s amounts', () => {
  it('survive the conversion to columns and back, even when columns are added up', () => {
    fc.assert(
      fc.property(fc.array(scaled), (all) => {
        const columns = all.map((one) => encodeAmount(toDecimal(one)))
        for (const [units, rest] of columns) assert.ok(Number.isSafeInteger(units) && rest >= 0 && rest < 1e10)
        const sumOf = (column: 0 | 1) => columns.reduce((sum, one) => sum + BigInt(one[column]), 0n)
        const sum = all.reduce((one, other) => one + other, 0n)
        assert.equal(toScaled(sumOf(0), sumOf(1)), sum)
      }),
    )
  })

  it('are shown in plain notation without needless zeros', () => {
    const shown = [0n, 1n, -1n, 10n ** 10n, -15n * 10n ** 9n, LARGEST].map(toDecimal)
    assert.deepEqual(shown, ['0', '0.0000000001', '-0.0000000001', '1', '-1.5', `${'9'.repeat(14)}.${'9'.repeat(10)}`])
  })

  it('are refused if they can’t be stored exactly', () => {
    for (const text of [
      '0.00000000001',
      `1${'0'.repeat(14)}`,
      `-1${'0'.repeat(14)}`,
      '--1',
      '-',
      '+1',
      '1e3',
      '',
      '1.',
      '.5',
      'NaN',
    ]) {
      assert.throws(() => encodeAmount(text), /is not an amount/, text)
    }
  })
})
