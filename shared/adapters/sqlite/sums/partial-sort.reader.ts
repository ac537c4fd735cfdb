/** Up to this many items are sorted in full. */
const FEW = 64

/**
 * The items that a full sort would put at positions `from` to `to` (exclusive). Linear in the number of items for a
 * short range. `compare` must never return 0 for two different items.
 *
 * Quicksort that skips what lies outside the range (https://en.wikipedia.org/wiki/Partial_sorting).
 */
export function partialSort<Item>(
  items: readonly Item[],
  { from, to }: { readonly from: number; readonly to: number },
  compare: (one: Item, other: Item) => number,
): Item[] {
  if (to <= 0 || from >= items.length) return []
  if (items.length <= FEW) return items.toSorted(compare).slice(Math.max(0, from), to)
  // Random, so that no input order is slow.
  const pivot = items[Math.floor(Math.random() * items.length)] as Item
  const before: Item[] = []
  const after: Item[] = []
  for (const item of items) {
    const order = compare(item, pivot)
    if (order < 0) before.push(item)
    else if (order > 0) after.push(item)
  }
  const rank = before.length
  return [
    ...partialSort(before, { from, to }, compare),
    ...(from <= rank && rank < to ? [pivot] : []),
    ...partialSort(after, { from: from - rank - 1, to: to - rank - 1 }, compare),
  ]
}
