/** Remembers very many texts in some 16 to 32 bytes each, by hashes of 64 bits. */
export interface Fingerprints {
  /** False when it was there already, or, for one in 2^64 pairs, another text of the same hash. */
  add(text: string): boolean
  has(text: string): boolean
}

/** Places for hashes; always a power of two. */
const FIRST_CAPACITY = 1 << 14

/** An empty set: an open hash table with linear probing, at the most half full. A place of two zeros is free. */
export function createFingerprints(): Fingerprints {
  let places = new Uint32Array(2 * FIRST_CAPACITY)
  let size = 0
  // The halves of the last hash: an array of its own for each would cost more than the hashing.
  let high = 0
  let low = 0

  /** cyrb53's two halves (https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js, public domain). */
  function hash(text: string): void {
    let one = 0xdeadbeef
    let two = 0x41c6ce57
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      one = Math.imul(one ^ unit, 2654435761)
      two = Math.imul(two ^ unit, 1597334677)
    }
    one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
    two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
    high = two >>> 0
    low = one >>> 0 || 1
  }

  /** Where the last hash is, or the free place where it belongs. */
  function find(): number {
    const mask = places.length - 1
    let place = (low * 2) & mask
    while (places[place + 1] !== 0 && (places[place] !== high || places[place + 1] !== low)) place = (place + 2) & mask
    return place
  }

  function put(place: number): void {
    places[place] = high
    places[place + 1] = low
  }

  function grow(): void {
    const before = places
    places = new Uint32Array(2 * before.length)
    for (let place = 0; place < before.length; place += 2) {
      high = before[place] as number
      low = before[place + 1] as number
      if (low !== 0) put(find())
    }
  }

  return {
    add(text) {
      hash(text)
      const place = find()
      if (places[place + 1] !== 0) return false
      put(place)
      size += 1
      if (size * 4 > places.length) grow()
      return true
    },
    has(text) {
      hash(text)
      return places[find() + 1] !== 0
    },
  }
}
