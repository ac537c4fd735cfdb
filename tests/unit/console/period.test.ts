import assert from 'node:assert/strict'
import fc from 'fast-check'
import { addMonths, lastDayOf } from '../../../console/format/calendar.ts'
import { daysOfMonth, isComparable, periodOf, yearBefore, yearOf, years } from '../../../console/overview/period.ts'
import { forAll } from '../../support/for-all.ts'

describe('The period of the overview', () => {
  it('is the current year unless the address says otherwise', () => {
    const [thisYear] = years('2026-03-15')
    assert.deepEqual(periodOf({}, thisYear), { from: '2026-01-01', to: '2026-12-31' })
    assert.deepEqual(periodOf({ serviceDateFrom: '2026-02-01' }, thisYear), { from: '2026-02-01', to: undefined })
    assert.deepEqual(periodOf({ period: 'all' }, thisYear), { from: undefined, to: undefined })
    for (const serviceDateFrom of ['yesterday', '0000-01-01', '2026-02-30']) {
      assert.deepEqual(periodOf({ serviceDateFrom, period: 'other' }, thisYear), yearOf('2026'))
    }
  })

  it('is compared with the same days a year earlier', () => {
    assert.deepEqual(yearBefore({ from: '2026-01-10', to: '2026-02-20' }), { from: '2025-01-10', to: '2025-02-20' })
    assert.deepEqual(yearBefore({ from: undefined, to: undefined }), { from: undefined, to: undefined })
  })

  it('is compared with none if it begins or ends in the first year', () => {
    assert.equal(yearBefore({ from: '0001-12-31', to: '2026-12-31' }), undefined)
    assert.equal(isComparable({ from: '0001-12-31', to: '2026-12-31' }), false)
    assert.equal(isComparable({ from: '0002-01-01', to: '2026-12-31' }), true)
  })

  it('ends with February in both years, whichever of them is a leap year', () => {
    assert.deepEqual(yearBefore({ from: '2024-02-01', to: '2024-02-29' }), { from: '2023-02-01', to: '2023-02-28' })
    assert.deepEqual(yearBefore({ from: '2025-02-01', to: '2025-02-28' }), { from: '2024-02-01', to: '2024-02-29' })
    assert.deepEqual(yearBefore({ from: '2024-02-29', to: undefined }), { from: '2023-02-28', to: undefined })
  })

  it('limits a month to the days that lie in it', () => {
    assert.deepEqual(daysOfMonth('2024-02', { from: undefined, to: undefined }), {
      from: '2024-02-01',
      to: '2024-02-29',
    })
    assert.deepEqual(daysOfMonth('2026-03', { from: '2026-03-10', to: '2026-06-30' }), {
      from: '2026-03-10',
      to: '2026-03-31',
    })
    assert.deepEqual(daysOfMonth('2026-03', { from: undefined, to: '2026-03-20' }), {
      from: '2026-03-01',
      to: '2026-03-20',
    })
  })

  it('counts months without skipping one', () => {
    const month = fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-11-30'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 7))
    forAll([month], (month) => {
      const dayAfter = new Date(Date.parse(lastDayOf(month)) + 86_400_000).toISOString()
      assert.equal(dayAfter.slice(0, 10), `${addMonths(month, 1)}-01`)
      assert.equal(addMonths(addMonths(month, 12), -12), month)
    })
  })

  it('may extend to the last possible day', () => {
    assert.equal(lastDayOf('9999-12'), '9999-12-31')
    assert.deepEqual(yearBefore({ from: undefined, to: '9999-12-31' }), { from: undefined, to: '9998-12-31' })
  })
})
