import assert from 'node:assert/strict'
import { monthRows, totalOf } from '../../../console/overview/month-rows.ts'
import { yearOf } from '../../../console/overview/period.ts'

const billed = (month: string, totalFeeWithTax: string) => ({
  month,
  count: 1,
  serviceFee: totalFeeWithTax,
  tax: '0',
  totalFeeWithTax,
  billed: Number(totalFeeWithTax).toFixed(2),
})

const MARCH = '2026-03-15'
const nothing = { months: [], before: [], closedThrough: null, today: MARCH }

describe('The overview by month', () => {
  it('shows each month beside the same month a year earlier, with the exact difference', () => {
    const rows = monthRows({
      ...nothing,
      period: yearOf('2026'),
      months: [billed('2026-01', '0.1'), billed('2026-02', '21.639175000000000000001')],
      before: [billed('2025-01', '0.3'), billed('2025-02', '0.000000000000000000001')],
    })
    assert.deepEqual(
      rows.slice(0, 3).map(({ month, difference }) => [month, difference.totalFeeWithTax]),
      [
        ['2026-01', '-0.2'],
        ['2026-02', '21.639175'],
        ['2026-03', '0'],
      ],
    )
    assert.equal(rows.length, 12)
    const { sums, before, difference } = totalOf(rows)
    assert.deepEqual(
      [sums.count, sums.totalFeeWithTax, before.totalFeeWithTax, difference.totalFeeWithTax],
      [2, '21.739175000000000000001', '0.300000000000000000001', '21.439175'],
    )
  })

  it('compares what was billed, in amounts and as a share of the year before', () => {
    const compared = (now: string, before: string) => {
      const rows = monthRows({
        ...nothing,
        period: yearOf('2026'),
        months: [{ ...billed('2026-01', '0'), billed: now }],
        before: [{ ...billed('2025-01', '0'), billed: before }],
      })
      const { difference, change } = totalOf(rows)
      assert.deepEqual([rows[0]?.difference, rows[0]?.change], [difference, change])
      return [difference.billed, change]
    }
    assert.deepEqual(compared('125.00', '100.00'), ['25', 0.25])
    assert.deepEqual(compared('50.00', '-100.00'), ['150', 1.5])
    assert.deepEqual(compared('-150.00', '-100.00'), ['-50', -0.5])
    assert.deepEqual(compared('100.00', '0'), ['100', undefined])
  })

  it('says which months are closed, fully or in part', () => {
    const rows = monthRows({ ...nothing, period: yearOf('2026'), closedThrough: '2026-02-27' })
    assert.deepEqual(
      rows.slice(0, 3).map(({ closed }) => closed),
      ['all', 'part', 'none'],
    )
    const [, february] = monthRows({ ...nothing, period: yearOf('2026'), closedThrough: '2026-02-28' })
    assert.equal(february?.closed, 'all')
  })

  it('says which months are still to come, unless something is billed in them', () => {
    const rows = monthRows({ ...nothing, period: yearOf('2026'), months: [billed('2026-05', '1')] })
    assert.deepEqual(
      rows.filter(({ isToCome }) => !isToCome).map(({ month }) => month),
      ['2026-01', '2026-02', '2026-03', '2026-05'],
    )
  })

  it('fills gaps over all time, but doesn’t continue into a year in which nothing is billed', () => {
    const period = { from: undefined, to: undefined }
    const months = [billed('2025-11', '1'), billed('2026-02', '1')]
    const rows = monthRows({ ...nothing, period, months, before: months })
    assert.deepEqual(
      rows.map(({ month }) => month),
      ['2025-11', '2025-12', '2026-01', '2026-02'],
    )
  })

  it('shows only months with figures if a mistyped date makes a period of centuries', () => {
    const months = [billed('0202-03', '1'), billed('2026-03', '1')]
    const period = { from: '0001-01-01', to: undefined }
    assert.deepEqual(
      monthRows({ ...nothing, period, months }).map(({ month }) => month),
      ['0202-03', '2026-03'],
    )
  })
})
