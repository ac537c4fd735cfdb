import assert from 'node:assert/strict'
import { createDecimals } from '../../../console/format/decimals.ts'
import { addUp, addUpLines, billedTax, type Sums } from '../../../console/overview/sums.ts'
import { printedLines, sumsByRate } from '../../../console/statement/amounts.ts'
import { usualPeriods } from '../../../console/statement/periods.ts'

describe('The period of a statement', () => {
  const daysOf = (today: string) =>
    Object.fromEntries(usualPeriods(today).map(({ label, from, to }) => [label, `${from} ${to}`]))

  it('is a month, quarter or year, complete or not', () => {
    assert.deepEqual(daysOf('2026-11-26'), {
      'Last month': '2026-10-01 2026-10-31',
      'This month': '2026-11-01 2026-11-30',
      'Last quarter': '2026-07-01 2026-09-30',
      'This quarter': '2026-10-01 2026-12-31',
      'Last year': '2025-01-01 2025-12-31',
      'This year': '2026-01-01 2026-12-31',
    })
  })

  it('is in the previous year if the last one ended with that year', () => {
    const days = daysOf('2026-01-01')
    assert.deepEqual(
      [days['Last month'], days['Last quarter'], days['This quarter']],
      ['2025-12-01 2025-12-31', '2025-10-01 2025-12-31', '2026-01-01 2026-03-31'],
    )
  })

  it('is first offered as last month, to its last day', () => {
    assert.deepEqual(usualPeriods('2028-03-31')[0], { label: 'Last month', from: '2028-02-01', to: '2028-02-29' })
  })
})

describe('The amounts of a statement', () => {
  const decimalsWith = (decimals: number) => createDecimals(['en-US'], () => ({ code: '', decimals }))
  const exact = { tax: '1.649175', totalFeeWithTax: '21.639175' }
  const line = (serviceFee: string, taxPercent: string, billed: string) => ({
    ...exact,
    serviceFee,
    taxPercent,
    billed,
  })
  const shown = (sums: Pick<Sums, 'serviceFee' | 'billed'>) => {
    return { fee: sums.serviceFee, tax: billedTax(sums), billed: sums.billed }
  }
  const printed = (one: ReturnType<typeof line>, places: number) => printedLines([one], decimalsWith(places)).map(shown)

  it('add up in each row, whatever the digits of the fee', () => {
    assert.deepEqual(printed(line('19.99', '8.25', '21.64'), 2), [{ fee: '19.99', tax: '1.65', billed: '21.64' }])
    assert.deepEqual(printed(line('-19.99', '8.25', '-21.64'), 2), [{ fee: '-19.99', tax: '-1.65', billed: '-21.64' }])
    assert.deepEqual(printed(line('0.0449', '10', '0.05'), 2), [{ fee: '0.04', tax: '0.01', billed: '0.05' }])
    assert.deepEqual(printed(line('999.5', '5', '1049'), 0), [{ fee: '1000', tax: '49', billed: '1049' }])
  })

  it('add up by tax rate and to the total, exactly', () => {
    const lines = [
      line('19.99', '8.25', '21.64'),
      line('100', '13', '113'),
      line('0.1', '8.25', '0.11'),
      line('-19.99', '13', '-22.59'),
      line('7', '0', '7'),
    ]
    const rates = sumsByRate(printedLines(lines, decimalsWith(2)))
    assert.deepEqual(
      rates.map((rate) => ({ taxPercent: rate.taxPercent, ...shown(rate) })),
      [
        { taxPercent: '0', fee: '7', tax: '0', billed: '7' },
        { taxPercent: '8.25', fee: '20.09', tax: '1.66', billed: '21.75' },
        { taxPercent: '13', fee: '80.01', tax: '10.4', billed: '90.41' },
      ],
    )
    const total = { fee: '107.1', tax: '12.06', billed: '119.16' }
    assert.deepEqual(shown(addUp(rates)), total)
    assert.deepEqual(shown(addUpLines(printedLines(lines, decimalsWith(2)))), total)
  })

  it('are 0 where nothing was billed', () => {
    assert.deepEqual(shown(addUpLines([])), { fee: '0', tax: '0', billed: '0' })
  })
})
