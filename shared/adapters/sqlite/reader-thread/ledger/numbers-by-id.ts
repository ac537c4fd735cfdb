/** Ids on a page: 256 KB. */
const PAGE = 65_536

/** A number from 0 for each of many ids, which needs little memory where they are dense. */
export interface NumbersById {
  /** -1 when the id has none. */
  get(id: number): number
  set(id: number, number: number): void
}

/** Without any numbers. */
export function createNumbersById(): NumbersById {
  const pages = new Map<number, Int32Array>()
  let pageNumber = -1
  let page: Int32Array | undefined
  const turnTo = (number: number): Int32Array | undefined => {
    if (number !== pageNumber) {
      pageNumber = number
      page = pages.get(number)
    }
    return page
  }
  return {
    get(id) {
      const number = Math.floor(id / PAGE)
      const found = turnTo(number)
      return found === undefined ? -1 : (found[id - number * PAGE] as number) - 1
    },
    set(id, value) {
      const number = Math.floor(id / PAGE)
      page = turnTo(number) ?? new Int32Array(PAGE)
      pages.set(number, page)
      page[id - number * PAGE] = value + 1
    },
  }
}
