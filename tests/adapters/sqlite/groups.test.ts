import assert from 'node:assert/strict'
import fc from 'fast-check'
import { gatherGroups } from '../../../shared/adapters/sqlite/sums/groups.ts'
import { createRecentSums } from '../../../shared/adapters/sqlite/sums/sums.reader.ts'

const SCALE = 10n ** 10n

describe('The groups of a report', () => {
  it('are added up if they have the same keys, by month, then by descending amount, with their ties', () => {
    const row = fc.record({
      month: fc.integer({ min: 1, max: 3 }),
      text: fc.nat(3),
      units: fc.integer(),
      rest: fc.nat(9),
    })
    const rows = fc.array(row, { maxLength: 30 })
    fc.assert(
      fc.property(rows, fc.nat(10), fc.nat(10), (given, offset, limit) => {
        const model = new Map<string, { month: number; text: number; count: number; amount: bigint }>()
        for (const { month, text, units, rest } of given) {
          const { count, amount } = model.get(`${month} ${text}`) ?? { count: 0, amount: 0n }
          const sum = amount + BigInt(units) * SCALE + BigInt(rest)
          model.set(`${month} ${text}`, { month, text, count: count + 1, amount: sum })
        }
        const expected = [...model.values()].sort(
          (one, other) => one.month - other.month || Number(other.amount - one.amount),
        )
        const numbers = given.map(({ month, text, units, rest }) => [month, text, 1, units, rest].map(BigInt))
        const groups = gatherGroups(numbers, { width: 5, areDistinct: false, month: 0 })
        const ofGroup = (n: number) => {
          const { keys, count, amounts } = groups.at(n)
          return { month: keys[0], text: keys[1], count, amount: amounts[0] }
        }
        assert.deepEqual(new Set([...groups.order].map(ofGroup)), new Set(expected))
        const placed = ({ month, amount }: { month?: number | undefined; amount?: bigint | undefined }) => [
          month,
          amount,
        ]
        assert.deepEqual([...groups.order].map(ofGroup).map(placed), expected.map(placed))
        assert.equal(groups.total.count, given.length)
        assert.equal(
          groups.total.amounts[0],
          expected.reduce((sum, { amount }) => sum + amount, 0n),
        )

        const isOnPage = (place: number) => place >= offset && place < offset + limit
        const onPage = expected.filter((_, place) => isOnPage(place))
        const isTied = (one: (typeof expected)[number]) =>
          onPage.some((other) => `${placed(one)}` === `${placed(other)}`)
        const ties = onPage.length === 0 ? [] : [...groups.ties(groups.startOfTie(offset), offset + limit)]
        assert.deepEqual(ties.map(([, n]) => ofGroup(n)).map(placed), expected.filter(isTied).map(placed))
        for (const [tie, n] of ties) assert.deepEqual(placed(ofGroup(groups.order[tie] ?? -1)), placed(ofGroup(n)))
      }),
    )
  })

  it('have an empty page past the last one, at once however far that is', () => {
    const rows = [1n, 2n].map((key) => [key, 0n, 1n, 7n, 0n])
    const groups = gatherGroups(rows, { width: 5, areDistinct: true, month: -1 })
    for (const offset of [2, 1_000_000_000])
      assert.deepEqual([...groups.ties(groups.startOfTie(offset), offset + 1)], [])
  })

  it('refuse a sum that does not fit their numbers; their total may be any', () => {
    const rows = [1n, 2n ** 63n - 1n].map((units) => [0n, 0n, 1n, units, 0n])
    const options = { width: 5, areDistinct: false, month: -1 }
    assert.throws(() => gatherGroups(rows, options), /exceeds 64 bits/)
    const { total } = gatherGroups(rows, { ...options, areDistinct: true })
    assert.deepEqual(total.amounts, [2n ** 63n * SCALE])
  })

  it('are cached, hundreds of thousands of them, so that no further page adds them up again', () => {
    const recent = createRecentSums()
    function* rows() {
      for (let n = 0n; n < 300_000n; n++) yield [n, 0n, 1n, n % 1_000n, 0n]
    }
    const groups = gatherGroups(rows(), { width: 5, areDistinct: true, month: -1 })
    recent.set('by client and month', groups)
    assert.equal(recent.get('by client and month'), groups)
  })
})
