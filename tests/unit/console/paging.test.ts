import assert from 'node:assert/strict'
import { offsetOf, rangeText, sizeOf, stepsFrom } from '../../../console/lists/paging.ts'

describe('The pages of a list', () => {
  it('say which records they show, and of how many', () => {
    const text = (offset: number, shown: number, total: number) => rangeText({ offset, shown, total })
    assert.equal(text(0, 50, 1_234), '1–50 of 1,234')
    assert.equal(text(1_200, 34, 1_234), '1,201–1,234 of 1,234')
    assert.equal(text(0, 0, 0), 'No matches')
    assert.equal(text(5_000, 0, 1_234), 'No more than 1,234')
  })

  it('link to each other, even from beyond the end', () => {
    const steps = (offset: number, total: number) => Object.values(stepsFrom({ offset, shown: 0, total }))
    assert.deepEqual(steps(0, 50), [undefined, undefined, undefined, undefined])
    assert.deepEqual(steps(0, 51), [undefined, undefined, 50, 50])
    assert.deepEqual(steps(50, 1_000_000), [0, 0, 100, 999_950])
    assert.deepEqual(steps(999_950, 1_000_000), [0, 999_900, undefined, undefined])
    assert.deepEqual(steps(5_000, 60), [0, 50, undefined, undefined])
  })

  it('have as many rows as the address asks for, if that is one of the choices', () => {
    assert.deepEqual(
      [undefined, '', '25', '50', '100', '1000', '-25', '25.0'].map((text) => sizeOf(text)),
      [50, 50, 25, 50, 100, 50, 50, 50],
    )
    assert.equal(sizeOf('1000', [50, 1_000]), 1_000)
  })

  it('begin at the given offset, or at 0 if the API would refuse it', () => {
    const offsets = [undefined, '', '0', '50', '-1', '1e3', '9999999999'].map(offsetOf)
    assert.deepEqual(offsets, [0, 0, 0, 50, 0, 0, 0])
  })
})
