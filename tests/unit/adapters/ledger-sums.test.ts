import assert from 'node:assert/strict'
import fc from 'fast-check'
import { BASE, LIMBS, toDecimal, toLimbs } from '../../../shared/adapters/sqlite/any-thread/ledger/limbs.ts'
import {
  addEntries,
  addGroup,
  carry,
  compareFirstAmount,
  createGroups,
  MOST_WITHOUT_CARRY,
  placeOf,
  sumOf,
  total,
} from '../../../shared/adapters/sqlite/reader-thread/ledger/groups.ts'
import { createNumbersById } from '../../../shared/adapters/sqlite/reader-thread/ledger/numbers-by-id.ts'
import { createPairNumbers } from '../../../shared/adapters/sqlite/reader-thread/ledger/pair-numbers.ts'
import { partialSort } from '../../../shared/adapters/sqlite/reader-thread/ledger/partial-sort.ts'
import { createSeenIds } from '../../../shared/adapters/sqlite/reader-thread/ledger/seen-ids.ts'
import { compareTexts } from '../../../shared/adapters/sqlite/reader-thread/ledger/texts.ts'

const MOST = 10n ** 24n - 1n
const size = fc.oneof(fc.bigInt({ min: 0n, max: MOST }), fc.constantFrom(0n, 1n, 10n ** 8n, 10n ** 16n - 1n, MOST))
const scaled = fc.tuple(fc.constantFrom(1n, -1n), size).map(([sign, units]) => sign * units)

/** The decimal for a number of units of 10^-10. */
function decimalOf(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(11, '0')
  const decimal = `${digits.slice(0, -10)}.${digits.slice(-10)}`.replace(/\.?0+$/, '')
  return `${units < 0n ? '-' : ''}${decimal}`
}

const number = (limbs: readonly number[], n: number): Int32Array => Int32Array.of(limbs[n] ?? 0)

describe('A ledger’s amounts', () => {
  it('survive the conversion to limbs and back', () => {
    fc.assert(
      fc.property(scaled, (units) => {
        const text = decimalOf(units) || '0'
        assert.equal(toDecimal(toLimbs(text)), text)
      }),
    )
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
      assert.throws(() => toLimbs(text), /is not an amount/, text)
    }
  })

  it('add up like exact integers, by group and in total, even beyond the capacity of a limb', () => {
    const entry = fc.record({ key: fc.nat(300), units: scaled })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 400 }), (entries) => {
        const groups = createGroups(1)
        const expected = new Map<number, bigint>()
        for (const { key, units } of entries) {
          const limbs = toLimbs(decimalOf(units) || '0')
          const group = expected.has(key) ? [...expected.keys()].indexOf(key) : addGroup(groups, key, 0)
          const entry = { indexes: Int32Array.of(0), count: 1 }
          addEntries(
            groups,
            entry,
            Int32Array.of(group),
            [0, 1, 2].map((n) => number(limbs, n)),
          )
          expected.set(key, (expected.get(key) ?? 0n) + units)
        }
        carry(groups)
        assert.equal(groups.count, expected.size)
        const sums = [...expected.values()]
        for (const [group, [key, sum]] of [...expected].entries()) {
          assert.equal(groups.first[group], key)
          assert.equal(sumOf(groups, group, ['fee']).amounts.fee, decimalOf(sum) || '0')
          const next = sums[group + 1] ?? 0n
          const order = group + 1 < sums.length ? Math.sign(compareFirstAmount(groups, group, group + 1)) : 0
          assert.equal(order, group + 1 < sums.length ? Number(sum > next) - Number(sum < next) : 0)
        }
        if (entries.length > 0) {
          const all = sums.reduce((sum, one) => sum + one, 0n)
          const { count, amounts } = sumOf(total(groups), 0, ['fee'])
          assert.deepEqual([count, amounts.fee], [entries.length, decimalOf(all) || '0'])
        }
      }),
    )
  })

  it('stay exact when limbs are filled to the limit before each carry, again and again', () => {
    const groups = createGroups(1)
    addGroup(groups, 1, 0)
    const added = MOST_WITHOUT_CARRY * (BASE - 1)
    const TIMES = 1_000
    for (let time = 0; time < TIMES; time++) {
      for (let limb = 0; limb < LIMBS; limb++) {
        const sums = groups.limbs[placeOf(limb)] ?? new Float64Array()
        sums[0] = (sums[0] ?? 0) + added
      }
      carry(groups)
    }
    const each = BigInt(added) * (1n + BigInt(BASE) + BigInt(BASE) ** 2n)
    assert.equal(sumOf(groups, 0, ['fee']).amounts.fee, decimalOf(each * BigInt(TIMES)))
  })

  it('are subtracted limb by limb', () => {
    fc.assert(
      fc.property(scaled, scaled, (one, other) => {
        const [first, second] = [toLimbs(decimalOf(one) || '0'), toLimbs(decimalOf(other) || '0')]
        const difference = Array.from({ length: LIMBS }, (_, n) => (first[n] ?? 0) - (second[n] ?? 0))
        assert.equal(toDecimal(difference), decimalOf(one - other) || '0')
      }),
    )
  })
})

describe('A partial sort', () => {
  it('puts into a range what a full sort would put there', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 300 }), fc.nat(310), fc.nat(310), (values, one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const compare = (first: number, second: number) =>
          (values[first] ?? 0) - (values[second] ?? 0) || first - second
        const items = Int32Array.from(values.keys())
        const expected = [...items].sort(compare).slice(from, to)
        for (const _ of partialSort(items, { from, to }, compare));
        assert.deepEqual([...items.subarray(Math.min(from, items.length), to)], expected)
      }),
      { numRuns: 500 },
    )
  })
})

describe('Texts', () => {
  it('are ordered by code point, with null last', () => {
    const sorted = [['\u{1f4b0}'], [null], ['\ufffd'], ['a', 'b'], ['a', 'a']].sort(compareTexts)
    assert.deepEqual(sorted, [['a', 'a'], ['a', 'b'], ['\ufffd'], ['\u{1f4b0}'], [null]])
  })
})

describe('Pairs', () => {
  it('keep the number that they first got, whether or not there is room for their page', () => {
    const part = fc.oneof(fc.nat(5), fc.nat(5_000), fc.nat(2 ** 32 - 1))
    fc.assert(
      fc.property(fc.array(fc.tuple(part, part), { maxLength: 200 }), fc.nat(20), (pairs, mostPages) => {
        const numbers = createPairNumbers(mostPages)
        const expected = new Map<string, number>()
        for (const [row, cell] of [...pairs, ...pairs]) {
          const known = expected.get(`${row} ${cell}`) ?? expected.size
          expected.set(`${row} ${cell}`, known)
          assert.equal(numbers.of(row, cell), known)
        }
      }),
    )
  })
})

describe('Ids', () => {
  const ids = fc.array(fc.oneof(fc.nat(100), fc.maxSafeNat()), { maxLength: 100 })

  it('count as new only once', () => {
    fc.assert(
      fc.property(ids, (all) => {
        const indexes = Int32Array.from(all.keys())
        const count = createSeenIds().addEach(Float64Array.from(all), indexes, all.length)
        const fresh = all.flatMap((id, index) => (all.indexOf(id) === index ? [index] : []))
        assert.deepEqual([...indexes.subarray(0, count)], fresh)
      }),
    )
  })

  it('map to the number that each was given last', () => {
    fc.assert(
      fc.property(ids, ids, (given, asked) => {
        const numbers = createNumbersById()
        const expected = new Map<number, number>()
        for (const [number, id] of given.entries()) {
          numbers.set(id, number)
          expected.set(id, number)
        }
        for (const id of [...given, ...asked]) assert.equal(numbers.get(id), expected.get(id) ?? -1)
      }),
    )
  })
})
