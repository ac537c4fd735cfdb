import assert from 'node:assert/strict'
import fc from 'fast-check'
import { barsOf, scaleTo } from '../../../console/overview/scale.ts'

describe('The scale of a chart', () => {
  it('ends at a round number, with a few marks', () => {
    assert.deepEqual(scaleTo(411_356), { top: 500_000, ticks: [0, 100_000, 200_000, 300_000, 400_000, 500_000] })
    assert.deepEqual(scaleTo(100), { top: 100, ticks: [0, 25, 50, 75, 100] })
    assert.deepEqual(scaleTo(0), { top: 1, ticks: [0] })
  })

  it('has room for every amount', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1e15, noNaN: true }), (highest) => {
        const { top, ticks } = scaleTo(highest)
        assert.ok(top >= highest && top <= highest * 2, `${top} for ${highest}`)
        assert.ok(ticks.length >= 3 && ticks.length <= 6, `${ticks.length} marks for ${highest}`)
      }),
    )
  })

  it('sets bars side by side without overlap', () => {
    const all = Array.from({ length: 12 }, (_, index) => barsOf(index, 12)).flatMap(({ before, now }) => [before, now])
    const ends = all.map(({ x, width }) => [Number.parseFloat(x), Number.parseFloat(x) + Number.parseFloat(width)])
    for (const [index, [start = 0]] of ends.entries()) assert.ok(start > (ends[index - 1]?.[1] ?? 0))
    assert.ok((ends.at(-1)?.[1] ?? 101) < 100)
  })
})
