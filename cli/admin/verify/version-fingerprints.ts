import { crc32 } from 'node:zlib'
import type { StoredVersion } from '../../../shared/event-sourcing/stored-versions.ts'

/** A power of two. Records share slots, so any number of them takes 1 MB. */
const SLOTS = 2 ** 18

/** Checksums of everything that a view stores of versions, by the id of the record. */
export interface VersionFingerprints {
  add(version: StoredVersion): void
  /** The slots in which others differ. */
  differingFrom(others: VersionFingerprints): ReadonlySet<number>
  readonly slots: Uint32Array
}

/** The slot that an id shares with others. */
export const slotOf = (id: string): number => crc32(id) % SLOTS

/** Without any versions, which may be added in any order. */
export function createVersionFingerprints(): VersionFingerprints {
  const slots = new Uint32Array(SLOTS)
  return {
    slots,
    add({ id, version, values }) {
      const slot = slotOf(id)
      const text = `${id}\n${version}\n${values.join('\n')}`
      const before = slots[slot] as number
      slots[slot] = before + crc32(text)
    },
    differingFrom(others) {
      const differing = new Set<number>()
      for (let slot = 0; slot < SLOTS; slot++) if (slots[slot] !== others.slots[slot]) differing.add(slot)
      return differing
    },
  }
}
