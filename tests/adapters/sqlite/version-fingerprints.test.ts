import assert from 'node:assert/strict'
import {
  createVersionFingerprints,
  type StoredVersion,
  slotOf,
} from '../../../shared/adapters/sqlite/main-thread/verify/ledger/version-fingerprints.ts'

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

  it('are equal for equal versions, and differ only for the record that differs', () => {
    const all = [first, other, second]
    const slots = [slotOf('1')]
    assert.deepEqual(differing(all, all), [])
    assert.deepEqual(differing(all, [first, other]), slots)
    assert.deepEqual(differing(all, [...all, second]), slots)
    assert.deepEqual(differing(all, [first, other, version('1', 2, 3)]), slots)
    assert.deepEqual(differing([version('3', 1), ...all], all), [slotOf('3')])
  })

  it('differ in another order', () => {
    assert.deepEqual(differing([first, second], [second, first]), [slotOf('1')])
  })
})
