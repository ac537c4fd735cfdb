import assert from 'node:assert/strict'
import { type Change, changesOfSpans } from '../../../console/closing/span-changes.ts'

const JANUARY = { serviceDate: '2026-01-15', totalFeeWithTax: '10' }
const FEBRUARY = { serviceDate: '2026-02-15', totalFeeWithTax: '25' }

const change = (contractId: number, at: string, sides: Pick<Change, 'before' | 'after'>): Change => ({
  contractId,
  ...sides,
  at: `2026-03-${at}T00:00:00.000Z`,
  by: `author of ${at}`,
  byName: null,
})

const page = (...changes: readonly Change[]) => ({ changes, total: changes.length })

describe('The changes of days that were closed at different times', () => {
  const left = change(7, '02', { before: JANUARY, after: null })
  const entered = change(7, '03', { before: null, after: FEBRUARY })

  it('include a contract that moved between them only once, with both its sides and its newest author', () => {
    for (const pages of [
      [page(left), page(entered)],
      [page(entered), page(left)],
    ]) {
      assert.deepEqual(changesOfSpans(pages), {
        changes: [{ ...entered, before: JANUARY }],
        total: 1,
      })
    }
    const leftLater = { ...left, at: '2026-03-04T00:00:00.000Z' }
    const { changes } = changesOfSpans([page(leftLater), page(entered)])
    assert.deepEqual(changes, [{ ...leftLater, after: FEBRUARY }])
  })

  it('include all others unchanged, newest first, and count those beyond the listed ones', () => {
    const other = change(8, '04', { before: null, after: FEBRUARY })
    const edited = change(7, '05', { before: JANUARY, after: FEBRUARY })
    const { changes, total } = changesOfSpans([{ ...page(left), total: 300 }, page(other, edited)])
    assert.deepEqual(changes, [edited, other, left])
    assert.equal(total, 302)
  })
})
