import assert from 'node:assert/strict'
import fc from 'fast-check'
import { parseTimestamp, upToTimestampText } from '../../shared/fields/timestamp.ts'
import { forAll } from '../support/for-all.ts'

const NOON = Date.UTC(2026, 0, 31, 12)

describe('A timestamp', () => {
  it('can be any moment that JavaScript writes, and is read as that moment', () => {
    const moments = fc.date({
      min: new Date(-62_135_596_800_000),
      max: new Date(253_402_300_799_999),
      noInvalidDate: true,
    })
    forAll([moments, fc.constantFrom('down', 'up')], (moment, finer) => {
      assert.equal(parseTimestamp(moment.toISOString(), finer), moment.getTime())
    })
  })

  for (const [text, expected] of [
    ['2026-01-31T12:00:00Z', NOON],
    ['2026-01-31t12:00:00z', NOON],
    ['2026-01-31T12:00:00.5Z', NOON + 500],
    ['2026-01-31T12:00:00.500000000Z', NOON + 500],
    ['2026-01-31T14:30:00+02:30', NOON],
    ['2026-01-31T00:00:00-12:00', NOON],
    ['2026-01-31T12:00:00-00:00', NOON],
    ['2026-02-01T11:59:00+23:59', NOON],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
    ['1969-12-31T23:59:59.999Z', -1],
    // Leap seconds, at the end of a month in UTC, count as the second after.
    ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
    ['2016-12-31T23:59:60.25Z', Date.UTC(2017, 0, 1) + 250],
    ['2016-12-31T15:59:60-08:00', Date.UTC(2017, 0, 1)],
    ['2015-07-01T01:59:60+02:00', Date.UTC(2015, 6, 1)],
  ] as const) {
    it(`${text} is read`, () => assert.equal(parseTimestamp(text, 'down'), expected))
  }

  for (const text of [
    '',
    '2026-01-31',
    '2026-01-31T12:00Z',
    '2026-01-31T12:00:00',
    '2026-01-31 12:00:00Z',
    '2026-01-31T12:00:00 01:00',
    '2026-01-31T12:00:00+0100',
    '2026-01-31T12:00:00+01',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00.Z',
    '2026-01-31T12:00:00,5Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:60:00Z',
    '2026-01-31T12:00:61Z',
    '2026-01-31T12:00:60Z',
    '2016-12-30T23:59:60Z',
    '2016-12-31T23:59:60+01:00',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '0000-12-31T23:59:59-01:00',
    '20260131T120000Z',
    '+002026-01-31T12:00:00Z',
    ' 2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00Z ',
    '1769860800000',
    '２026-01-31T12:00:00Z',
  ]) {
    it(`${JSON.stringify(text)} is refused`, () => assert.equal(parseTimestamp(text, 'down'), undefined))
  }

  it('in a request is not before the year 0001 in UTC', () => {
    assert.ok(upToTimestampText.safeParse('0001-01-01T00:00:00Z').success)
    assert.ok(!upToTimestampText.safeParse('0001-01-01T00:00:00+00:01').success)
  })

  it('finer than a millisecond is rounded down or up, as requested', () => {
    for (const [text, down, up] of [
      ['2026-01-31T12:00:00.0001Z', 0, 1],
      ['2026-01-31T12:00:00.9991Z', 999, 1000],
      ['2026-01-31T12:00:00.1230000Z', 123, 123],
      ['2026-01-31T12:00:00.12300000000000000001Z', 123, 124],
    ] as const) {
      assert.deepEqual([parseTimestamp(text, 'down'), parseTimestamp(text, 'up')], [NOON + down, NOON + up])
    }
  })
})
