/** Ids on a page of the set: 8 KB. */
const PAGE = 65_536

/** A set of whole numbers from 0, empty at first; needs little memory where they are dense. */
export function createSeenIds() {
  // An array and not a Map: edits jump from page to page, and a lookup in a Map would double their cost.
  const pages: Uint32Array[] = []
  return {
    /** Adds `ids[index]` for the first `count` of these indexes. Leaves only the indexes of new ids, and counts them. */
    addEach(ids: Float64Array, indexes: Int32Array, count: number): number {
      let page: Uint32Array = new Uint32Array()
      let pageNumber = -1
      let added = 0
      for (let n = 0; n < count; n++) {
        const index = indexes[n] as number
        const id = ids[index] as number
        const number = Math.floor(id / PAGE)
        if (number !== pageNumber) {
          page = pages[number] ?? new Uint32Array(PAGE / 32)
          pages[number] = page
          pageNumber = number
        }
        const within = id - number * PAGE
        const word = page[within >>> 5] as number
        const bit = 1 << (within & 31)
        if ((word & bit) !== 0) continue
        page[within >>> 5] = word | bit
        indexes[added++] = index
      }
      return added
    },
  }
}
