/** Cells on a page, 1,024 of them: 4 KB. */
const BITS = 10
const PAGE = 1 << BITS
/** 64 MB. */
const MOST_PAGES = 16_384

/**
 * Numbers pairs of whole numbers below 2^32 from 0, in the order in which they appear. A pair is looked up in a table
 * with a row for each first number, whose cells lie on pages made when needed: half the time of a hash table.
 * Rows should be few. Pairs that the memory for pages has no room for are in a Map, ten times as slow.
 */
export function createPairNumbers(mostPages = MOST_PAGES) {
  const rowNumbers: Int32Array[] = []
  const rows: Int32Array[][] = []
  const others = new Map<number, number>()
  let [count, pages] = [0, 0]

  function rowNumberOf(row: number): number {
    let page = rowNumbers[row >>> BITS]
    if (page === undefined) {
      page = new Int32Array(PAGE)
      rowNumbers[row >>> BITS] = page
    }
    const known = page[row & (PAGE - 1)] as number
    if (known > 0) return known - 1
    page[row & (PAGE - 1)] = rows.push([])
    return rows.length - 1
  }

  function numberInMap(pair: number): number {
    const known = others.get(pair)
    if (known !== undefined) return known
    others.set(pair, count)
    return count++
  }

  return {
    /** The number of a pair; how many there were before, if it is new. */
    of(row: number, cell: number): number {
      const rowNumber = rowNumberOf(row)
      const cells = rows[rowNumber] as Int32Array[]
      const pageNumber = cell >>> BITS
      let page = cells[pageNumber]
      if (page === undefined) {
        // From here on there is no new page, so a pair stays where it is.
        if (pages === mostPages) return numberInMap(rowNumber * 2 ** 32 + cell)
        page = new Int32Array(PAGE)
        cells[pageNumber] = page
        pages += 1
      }
      const known = page[cell & (PAGE - 1)] as number
      if (known > 0) return known - 1
      count += 1
      page[cell & (PAGE - 1)] = count
      return count - 1
    },
  }
}
