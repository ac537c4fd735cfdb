import assert from 'node:assert/strict'
import fc from 'fast-check'
import { compareVersions } from '../../../cli/admin/verify/compare-versions.ts'
import { contractsView } from '../../../services/contracts/contract/view.ts'
import { forAll } from '../../support/for-all.ts'
import { NOON } from '../../support/jobs.ts'

const VALUES = [NOON, 'client', 'tax', '2026-01-31', '19.99', '8.25', '21.639175']
const inLog = (...versions: readonly number[]) =>
  versions.map((version) => ({ id: '7', version, values: [...VALUES], isInner: false }))
const compare = (...[expected, due, stored]: [ReturnType<typeof inLog>, number, ReturnType<typeof inLog>]) =>
  compareVersions(contractsView, expected, due, stored)

/** Versions 1 to n of a record, how many of them must be stored, and how many are. */
const histories = fc.integer({ min: 1, max: 6 }).chain((versions) =>
  fc.integer({ min: 1, max: versions }).chain((due) =>
    fc.integer({ min: due, max: versions }).map((stored) => {
      const all = inLog(...Array.from({ length: versions }, (_, index) => index + 1))
      return { expected: all, due, stored: all.slice(0, stored) }
    }),
  ),
)

describe('Stored versions compared with the log', () => {
  it('are right if they are those of the log, with or without what was appended meanwhile', () => {
    forAll([histories], ({ expected, due, stored }) => {
      assert.deepEqual(compare(expected, due, stored), [])
    })
  })

  it('are wrong if one is missing, duplicated, changed or of another record, which is named', () => {
    const whereOf = fc.tuple(histories, fc.nat()).map(([history, place]) => {
      return { ...history, place: place % history.due }
    })
    forAll([whereOf], ({ expected, due, stored, place }) => {
      const version = place + 1
      const one = stored[place] as (typeof stored)[number]
      const others = stored.toSpliced(place, 1)
      const changed = { ...one, values: one.values.with(4, '20') }
      assert.deepEqual(compare(expected, due, others), [{ version, message: 'it is missing' }])
      assert.deepEqual(compare(expected, due, [...stored, one]), [{ version, message: 'it is there more than once' }])
      assert.deepEqual(compare(expected, due, stored.with(place, changed)), [
        { version, message: 'serviceFee is 20, but 19.99 in the log' },
      ])
      assert.deepEqual(compare([], 0, [one]), [{ version, message: 'it is not in the log' }])
    })
  })

  it('may lack a version that is followed by another of the same commit, and so of the same time', () => {
    const [first, second] = inLog(1, 2) as [ReturnType<typeof inLog>[0], ReturnType<typeof inLog>[0]]
    const expected = [{ ...first, isInner: true }, second]
    assert.deepEqual(compare(expected, 2, [second]), [])
    assert.deepEqual(compare(expected, 2, [first, second]), [])
    assert.deepEqual(compare(expected, 2, [first]), [{ version: 2, message: 'it is missing' }])
  })

  it('show differing times as timestamps', () => {
    const [right] = inLog(1)
    assert.ok(right)
    const wrong = { ...right, values: right.values.with(0, NOON + 1) }
    assert.deepEqual(compare([right], 1, [wrong]), [
      { version: 1, message: 'at is 2026-01-31T09:30:00.001Z, but 2026-01-31T09:30:00.000Z in the log' },
    ])
  })
})
