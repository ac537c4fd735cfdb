import assert from 'node:assert/strict'
import { closedMonths, monthsToShow, totalsOf, wholeMonthsOf } from '../../../console/closing/closed-months.ts'

const report = (...months: readonly (readonly [month: string, billed: string])[]) =>
  months.map(([month, billed]) => {
    return { month, count: 1, serviceFee: '10', tax: '1', totalFeeWithTax: '11', billed }
  })

describe('The closed months', () => {
  it('show what they billed when they were closed and what they bill now, newest first', () => {
    const earlier = { since: 'A', before: report(['2026-01', '5'], ['2026-02', '7.5']), now: report(['2026-02', '8']) }
    const later = { since: 'B', before: [], now: report(['2026-02', '1'], ['2026-03', '-2']) }
    assert.deepEqual(closedMonths([earlier, later]), [
      { month: '2026-03', since: 'B', before: '0', now: '-2' },
      { month: '2026-02', since: 'B', before: '0', now: '1' },
      { month: '2026-02', since: 'A', before: '7.5', now: '8' },
      { month: '2026-01', since: 'A', before: '5', now: '0' },
    ])
  })

  it('belong to one span, unless it begins or ends within a month', () => {
    const months = report(['2026-01', '5'], ['2026-02', '7'], ['2026-03', '9'])
    const of = (from: string | undefined, through: string) =>
      wholeMonthsOf({ from, through, since: 'A' }, months)?.map(({ month }) => month)
    assert.deepEqual(of(undefined, '2026-02-28'), ['2026-01', '2026-02'])
    assert.deepEqual(of('2026-02-01', '2026-02-28'), ['2026-02'])
    assert.equal(of('2026-02-01', '2026-02-27'), undefined)
    assert.equal(of('2026-02-02', '2026-03-31'), undefined)
  })

  it('add up to what was billed, over all the times at which they were closed', () => {
    const earlier = { since: 'A', before: report(['2026-01', '11.01']), now: report(['2026-01', '12']) }
    const later = { since: 'B', before: report(['2026-02', '-1']), now: report(['2026-02', '0.5']) }
    const exact = { count: 2, serviceFee: '20', tax: '2', totalFeeWithTax: '22' }
    assert.deepEqual(totalsOf([earlier, later]), {
      before: { ...exact, billed: '10.01' },
      now: { ...exact, billed: '12.5' },
    })
  })

  it('are shown for a year, and further back only where the amounts differ', () => {
    const month = (index: number, now = '1.00') => ({ month: `month ${index}`, since: 'A', before: '1', now })
    const months = Array.from({ length: 40 }, (_, index) => month(index, index % 15 === 14 ? '2' : '1.00'))
    const shown = monthsToShow(months).map(({ month }) => month)
    assert.deepEqual(shown, [...months.slice(0, 12).map(({ month }) => month), 'month 14', 'month 29'])
  })
})
