/** Ids on a page: 256 KB. */
const PAGE = 65_536

/** A number from 0 for each of many ids, none at first; needs little memory where the ids are dense. */
export function createNumbersById() {
  const pages: Int32Array[] = []
  return {
    /** -1 when the id has none. */
    get(id: number): number {
      const number = Math.floor(id / PAGE)
      const page = pages[number]
      return page === undefined ? -1 : (page[id - number * PAGE] as number) - 1
    },
    set(id: number, value: number): void {
      const number = Math.floor(id / PAGE)
      const page = pages[number] ?? new Int32Array(PAGE)
      pages[number] = page
      page[id - number * PAGE] = value + 1
    },
  }
}
