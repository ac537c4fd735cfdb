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
  const pages: Int32Array[] = []
  return {
    get(id) {
      const number = Math.floor(id / PAGE)
      const page = pages[number]
      return page === undefined ? -1 : (page[id - number * PAGE] as number) - 1
    },
    set(id, value) {
      const number = Math.floor(id / PAGE)
      const page = pages[number] ?? new Int32Array(PAGE)
      pages[number] = page
      page[id - number * PAGE] = value + 1
    },
  }
}
