import assert from 'node:assert/strict'
import fc from 'fast-check'
import { barsOf, scaleFor } from '../../../console/overview/scale.ts'
import { forAll } from '../../support/for-all.ts'

const amount = fc.double({ min: 0.01, max: 1e15, noNaN: true })

describe('The scale of a chart', () => {
  it('ends at a round number, with a few marks', () => {
    const ticks = [0, 100_000, 200_000, 300_000, 400_000, 500_000]
    assert.deepEqual(scaleFor(0, 411_356), { top: 500_000, bottom: 0, ticks })
    assert.deepEqual(scaleFor(0, 100), { top: 100, bottom: 0, ticks: [0, 25, 50, 75, 100] })
    assert.deepEqual(scaleFor(-120, 300), { top: 300, bottom: -200, ticks: [-200, -100, 0, 100, 200, 300] })
    assert.deepEqual(scaleFor(-40, 0), { top: 0, bottom: -40, ticks: [-40, -30, -20, -10, 0] })
    assert.deepEqual(scaleFor(0, 0), { top: 1, bottom: 0, ticks: [0] })
  })

  it('has room for every amount', () => {
    forAll([amount, fc.oneof(fc.constant(0), amount)], (highest, debit) => {
      const lowest = 0 - debit
      const { top, bottom, ticks } = scaleFor(lowest, highest)
      assert.ok(top >= highest && bottom <= lowest, `${bottom} to ${top} for ${lowest} to ${highest}`)
      assert.ok(top - bottom <= (highest - lowest) * 2, `${bottom} to ${top} for ${lowest} to ${highest}`)
      assert.ok(ticks.includes(0) && ticks[0] === bottom && ticks.at(-1) === top, ticks.join())
      assert.ok(ticks.length >= 3 && ticks.length <= 7, `${ticks.length} marks for ${lowest} to ${highest}`)
    })
  })

  it('sets bars side by side without overlap', () => {
    const all = Array.from({ length: 12 }, (_, index) => barsOf(index, 12)).flatMap(({ before, now }) => [before, now])
    const ends = all.map(({ x, width }) => [Number.parseFloat(x), Number.parseFloat(x) + Number.parseFloat(width)])
    for (const [index, [start = 0]] of ends.entries()) assert.ok(start > (ends[index - 1]?.[1] ?? 0))
    assert.ok((ends.at(-1)?.[1] ?? 101) < 100)
  })

  it('leaves room beside the bars of a few months, and none beside those of a year', () => {
    const widthOf = (count: number) => Number.parseFloat(barsOf(0, count).now.width)
    assert.ok(widthOf(1) <= 6 && widthOf(2) === widthOf(1))
    assert.equal(widthOf(12), 3)
  })
})
