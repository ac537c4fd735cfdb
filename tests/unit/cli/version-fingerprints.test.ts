import assert from 'node:assert/strict'
import { createVersionFingerprints, slotOf } from '../../../cli/admin/verify/version-fingerprints.ts'
import type { StoredVersion } from '../../../shared/event-sourcing/stored-versions.ts'

const version = (id: string, number: number, value: string | number = 1): StoredVersion => {
  return { id, version: number, values: [value] }
}
const fingerprints = (versions: readonly StoredVersion[]) => {
  const all = createVersionFingerprints()
  for (const one of versions) all.add(one)
  return all
}
/** The slots in which two sets of versions differ. */
const differing = (one: readonly StoredVersion[], other: readonly StoredVersion[]) => [
  ...fingerprints(one).differingFrom(fingerprints(other)),
]

describe('Fingerprints of versions', () => {
  const [first, second, other] = [version('1', 1), version('1', 2), version('2', 1)]

  it('are equal for equal versions in any order, and differ only for the record that differs', () => {
    const all = [first, other, second]
    const slots = [slotOf('1')]
    assert.deepEqual(differing(all, all.toReversed()), [])
    assert.deepEqual(differing(all, [first, other]), slots)
    assert.deepEqual(differing(all, [...all, second]), slots)
    assert.deepEqual(differing(all, [first, other, version('1', 2, 3)]), slots)
    assert.deepEqual(differing(all, [version('3', 1), ...all]), [slotOf('3')])
  })
})
