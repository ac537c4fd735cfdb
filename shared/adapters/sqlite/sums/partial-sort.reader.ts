/** Comparisons between two yields: a few milliseconds, even where each reads two texts from the file. */
const COMPARISONS_A_TURN = 1_000
const FEW = 12

/**
 * Moves the items that a full sort would put at `from` up to `to` (exclusive) there, in order; all others end up on
 * their side of these. Linear in the number of items for a short range. `compare` must never find two items equal.
 *
 * Quicksort that leaves out what lies beside the range (https://en.wikipedia.org/wiki/Partial_sorting).
 */
export function* partialSort<Item>(
  items: Item[],
  { from, to }: { readonly from: number; readonly to: number },
  compare: (one: Item, other: Item) => number,
): Generator<undefined, void, undefined> {
  const ranges: [first: number, last: number][] = [[0, items.length - 1]]
  let comparisons = 0
  const isTurnOver = (): boolean => ++comparisons % COMPARISONS_A_TURN === 0
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    const [first, last] = range
    if (first >= last || last < from || first >= to) continue
    if (last - first < FEW) {
      const few = items.slice(first, last + 1).sort(compare)
      for (const [index, item] of few.entries()) items[first + index] = item
      continue
    }
    const pivot = items[first + ((last - first) >>> 1)] as Item
    let [low, high] = [first, last]
    while (low <= high) {
      for (; compare(items[low] as Item, pivot) < 0; low++) if (isTurnOver()) yield
      for (; compare(items[high] as Item, pivot) > 0; high--) if (isTurnOver()) yield
      if (low <= high) {
        const moved = items[low] as Item
        items[low] = items[high] as Item
        items[high] = moved
        low += 1
        high -= 1
      }
    }
    ranges.push([first, high], [low, last])
  }
}
