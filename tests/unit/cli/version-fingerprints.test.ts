import assert from 'node:assert/strict'
import { createVersionFingerprints, slotOf } from '../../../shared/event-sourcing/version-fingerprints.ts'
import type { StoredVersion } from '../../../shared/event-sourcing/version-fingerprints.ts'

const version = (id: string, number: number, value: string | number = 1): StoredVersion => {
  return { id, version: number, values: [value] }
}
const fingerprints = (kind: 'ledger' | 'labels', versions: readonly StoredVersion[]) => {
  const all = createVersionFingerprints(kind)
  for (const one of versions) all.add(one)
  return all
}
/** The slots in which two sets of versions differ. */
const differing = (kind: 'ledger' | 'labels', one: readonly StoredVersion[], other: readonly StoredVersion[]) => [
  ...fingerprints(kind, one).differingFrom(fingerprints(kind, other)),
]

describe('Fingerprints of versions', () => {
  const [first, second, other] = [version('1', 1), version('1', 2), version('2', 1)]
  for (const kind of ['ledger', 'labels'] as const) {
    it(`(${kind}) are equal for equal versions, and differ only for the record that differs`, () => {
      const all = [first, other, second]
      const slots = [slotOf('1')]
      assert.deepEqual(differing(kind, all, all), [])
      assert.deepEqual(differing(kind, all, [first, other]), slots)
      assert.deepEqual(differing(kind, all, [...all, second]), slots)
      assert.deepEqual(differing(kind, all, [first, other, version('1', 2, 3)]), slots)
      assert.deepEqual(differing(kind, all, [version('3', 1), ...all]), [slotOf('3')])
    })
  }

  it('differ for a ledger in another order, but not for labels', () => {
    assert.deepEqual(differing('ledger', [first, second], [second, first]), [slotOf('1')])
    assert.deepEqual(differing('labels', [first, second], [second, first]), [])
  })
})
