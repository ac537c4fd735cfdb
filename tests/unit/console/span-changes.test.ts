import assert from 'node:assert/strict'
import { type Change, changesOfSpans } from '../../../console/closing/span-changes.ts'
import { addUpExact } from '../../../console/overview/sums.ts'

const JANUARY = { serviceDate: '2026-01-15', totalFeeWithTax: '10' }
const FEBRUARY = { serviceDate: '2026-02-15', totalFeeWithTax: '25' }

const change = (contractId: number, at: string, sides: Pick<Change, 'before' | 'after'>): Change => ({
  contractId,
  ...sides,
  at: `2026-03-${at}T00:00:00.000Z`,
  by: `author of ${at}`,
  byName: null,
})

const page = (totalFeeWithTax: string, ...changes: readonly Change[]) => ({
  changes,
  total: changes.length,
  difference: { ...addUpExact([]), totalFeeWithTax },
})

describe('The changes of days that were closed at different times', () => {
  const left = change(7, '02', { before: JANUARY, after: null })
  const entered = change(7, '03', { before: null, after: FEBRUARY })

  it('have a contract once that moved between them, with both its sides and its newest author', () => {
    for (const pages of [
      [page('-10', left), page('25', entered)],
      [page('25', entered), page('-10', left)],
    ]) {
      assert.deepEqual(changesOfSpans(pages), {
        changes: [{ ...entered, before: JANUARY }],
        total: 1,
        difference: { ...addUpExact([]), totalFeeWithTax: '15' },
      })
    }
    const leftLater = { ...left, at: '2026-03-04T00:00:00.000Z' }
    const { changes } = changesOfSpans([page('-10', leftLater), page('25', entered)])
    assert.deepEqual(changes, [{ ...leftLater, after: FEBRUARY }])
  })

  it('have all others as they are, newest first, also those beyond the ones that are listed', () => {
    const other = change(8, '04', { before: null, after: FEBRUARY })
    const edited = change(7, '05', { before: JANUARY, after: FEBRUARY })
    const { changes, total } = changesOfSpans([{ ...page('-10', left), total: 300 }, page('50', other, edited)])
    assert.deepEqual(changes, [edited, other, left])
    assert.equal(total, 302)
  })
})
