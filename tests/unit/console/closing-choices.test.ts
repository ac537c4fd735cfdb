import assert from 'node:assert/strict'
import fc from 'fast-check'
import { daysToReopen, monthsToClose } from '../../../console/closing/choices.ts'
import { closedSpans, closingAsOf } from '../../../console/closing/closing.ts'
import { forAll } from '../../support/for-all.ts'

const TODAY = '2026-03-15'

describe('The months offered for a closing', () => {
  it('run from the last closed one to the present', () => {
    assert.deepEqual(monthsToClose('2025-12-31', TODAY), {
      months: ['2026-01', '2026-02', '2026-03'],
      suggested: '2026-01',
    })
  })

  it('begin with a month that is only partly closed', () => {
    assert.equal(monthsToClose('2026-02-27', TODAY).suggested, '2026-02')
    assert.equal(monthsToClose('2024-02-29', TODAY).suggested, '2024-03')
  })

  it('go back two years if nothing was ever closed, with the last whole month suggested', () => {
    const { months, suggested } = monthsToClose(null, TODAY)
    assert.deepEqual([months[0], months.at(-1), suggested], ['2024-03', '2026-03', '2026-02'])
  })

  it('are always at least one, and never thousands', () => {
    assert.deepEqual(monthsToClose('2026-12-31', TODAY).months, ['2027-01'])
    assert.equal(monthsToClose('0001-01-31', TODAY).months.length, 121)
  })

  it('are listed for reopening from the latest backwards', () => {
    assert.deepEqual(daysToReopen('2026-03-31').slice(0, 2), ['2026-02-28', '2026-01-31'])
    assert.equal(daysToReopen('2026-03-15')[0], '2026-02-28')
  })
})

describe('The closing as of a moment', () => {
  const closing = (version: number, at: string, closedThrough: string | null) => {
    return { version, at, closedThrough, reason: 'Filed.', by: 'key', byName: 'Anna' }
  }
  const closings = [
    closing(1, '2026-02-01T10:00:00.000Z', '2026-01-31'),
    closing(2, '2026-03-01T10:00:00.000Z', '2026-02-28'),
  ]

  it('is the last one set by then, including that millisecond', () => {
    assert.equal(closingAsOf(closings, '2026-02-28T23:59:59.999Z').closedThrough, '2026-01-31')
    assert.equal(closingAsOf(closings, '2026-03-01T10:00:00.000Z').closedThrough, '2026-02-28')
    assert.equal(closingAsOf(closings, '2026-01-01T00:00:00.000Z').closedThrough, null)
  })
})

describe('The closed days, and since when', () => {
  const DAYS = ['2026-01-31', '2026-02-01', '2026-02-27', '2026-02-28', '2026-03-01', '2026-03-31']
  const closing = (closedThrough: string | null, index: number) => ({ closedThrough, at: `closing ${index}` })
  const spansAfter = (...through: readonly (string | null)[]) => closedSpans(through.map(closing))

  it('keep the moment of their closing when a later month is closed, reopened or closed for another reason', () => {
    const october = { from: undefined, through: '2026-10-31', since: 'closing 0' }
    assert.deepEqual(spansAfter('2026-10-31', '2026-11-30', '2026-10-31', '2026-10-31'), [october])
    assert.deepEqual(spansAfter('2026-10-31', '2026-11-30', '2026-10-31', '2026-11-30'), [
      october,
      { from: '2026-11-01', through: '2026-11-30', since: 'closing 3' },
    ])
  })

  it('are those that every closing since a moment has included, but not the one before', () => {
    const through = fc.option(fc.constantFrom(...DAYS))
    forAll([fc.array(through, { maxLength: 8 })], (all) => {
      const closings = all.map(closing)
      const spans = closedSpans(closings)
      for (const day of DAYS) {
        const lastOpen = all.findLastIndex((closed) => closed === null || closed < day)
        const found = spans.filter(({ from = '', through }) => from <= day && day <= through)
        assert.deepEqual(
          found.map(({ since }) => since),
          closings.slice(lastOpen + 1, lastOpen + 2).map(({ at }) => at),
        )
      }
      assert.deepEqual(spans.at(-1)?.through ?? null, all.at(-1) ?? null)
    })
  })
})
