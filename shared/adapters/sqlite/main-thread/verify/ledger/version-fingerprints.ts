import { crc32 } from 'node:zlib'

/** A version of a record, with what is stored of it. */
export interface StoredVersion {
  readonly id: string
  readonly version: number
  readonly values: readonly (string | number)[]
}

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

/** Without any versions. They are added in the order of the log. */
export function createVersionFingerprints(): VersionFingerprints {
  const slots = new Uint32Array(SLOTS)
  return {
    slots,
    add({ id, version, values }) {
      const slot = slotOf(id)
      const text = `${id}\n${version}\n${values.join('\n')}`
      slots[slot] = crc32(text, slots[slot])
    },
    differingFrom(others) {
      const differing = new Set<number>()
      for (let slot = 0; slot < SLOTS; slot++) if (slots[slot] !== others.slots[slot]) differing.add(slot)
      return differing
    },
  }
}
