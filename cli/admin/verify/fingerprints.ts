/** Slots for hashes; always a power of two. */
const FIRST_CAPACITY = 1 << 14

/**
 * Remembers very many texts in 16 to 32 bytes each, by hashes of 53 bits: an open hash table with linear probing, at the
 * most half full. A slot of 0 is free.
 */
export function createFingerprints() {
  let slots = new Float64Array(FIRST_CAPACITY)
  let size = 0

  /** Where a hash is, or the free slot where it belongs. */
  function find(hash: number): number {
    const mask = slots.length - 1
    let slot = hash & mask
    while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) & mask
    return slot
  }

  function grow(): void {
    const before = slots
    slots = new Float64Array(2 * before.length)
    for (const hash of before) if (hash !== 0) slots[find(hash)] = hash
  }

  return {
    /** False when it was there already, or, for one in 2^53 pairs, another text of the same hash. */
    add(text: string): boolean {
      const hash = cyrb53(text)
      const slot = find(hash)
      if (slots[slot] !== 0) return false
      slots[slot] = hash
      size += 1
      if (size * 2 > slots.length) grow()
      return true
    },
    has: (text: string): boolean => slots[find(cyrb53(text))] !== 0,
  }
}

/** From 1 on (https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js, public domain). */
function cyrb53(text: string): number {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 2 ** 32 * (low & 0x1fffff) + (high >>> 0) || 1
}
