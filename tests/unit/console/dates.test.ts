import assert from 'node:assert/strict'
import {
  createDates,
  dayOf,
  endOfDay,
  isEndOfDay,
  momentOf,
  startOfDay,
  startOfNextDay,
} from '../../../console/format/dates.ts'

const now = new Date(2026, 10, 23, 12)

describe('Dates in the console', () => {
  const dates = createDates(['en-US'], 'America/Montreal')

  it('are the same day everywhere, while moments are in the reader’s time zone', () => {
    assert.equal(dates.date('2026-03-31T00:00:00.000Z'), 'Mar 31, 2026')
    assert.equal(dates.date('2026-03-31'), 'Mar 31, 2026')
    assert.equal(dates.moment('2026-03-31T02:30:00.000Z').replace(/\s/g, ' '), 'Mar 30, 2026, 10:30 PM')
    assert.equal(dates.month('2026-03'), 'March 2026')
    assert.equal(dates.date('20266-12-05'), '20266-12-05', 'a date field has this while somebody types')
  })

  it('mean the last moment of the day when the books are shown as of a date', () => {
    const end = endOfDay('2026-03-31', now) ?? ''
    assert.equal(end, new Date(2026, 2, 31, 23, 59, 59, 999).toISOString())
    assert.ok(isEndOfDay(new Date(end)))
    assert.equal(dayOf(new Date(end)), '2026-03-31')
    assert.equal(startOfDay('2026-04-01'), new Date(new Date(end).getTime() + 1).toISOString())
    assert.equal(startOfNextDay('2026-03-31'), startOfDay('2026-04-01'))
    assert.equal(endOfDay('2026-11-23', now), undefined, 'today isn’t over')
  })

  it('keep their century, however early', () => {
    assert.equal(dayOf(new Date(startOfDay('0002-03-31'))), '0002-03-31')
    assert.equal(dayOf(new Date(endOfDay('0099-12-31', now) ?? '')), '0099-12-31')
    assert.equal(dayOf(new Date(startOfNextDay('0099-12-31'))), '0100-01-01')
  })

  it('are read from an address as a day or a moment, only in the past', () => {
    assert.equal(momentOf('2026-03-31', now), endOfDay('2026-03-31', now))
    assert.equal(momentOf('2026-03-31T10:00:00+02:00', now), '2026-03-31T08:00:00.000Z')
    for (const text of [
      '',
      'yesterday',
      '2999-01-01',
      '2999-01-01T00:00:00Z',
      '2026-03-31T99:00:00Z',
      '7',
      '0000-01-01',
      '0000-01-01T00:00:00Z',
      '2026-02-30',
    ]) {
      assert.equal(momentOf(text, now), undefined, text)
    }
  })
})
