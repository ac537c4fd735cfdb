/** Comparisons between two yields: a few milliseconds, even where each reads two texts from the file. */
const COMPARISONS_PER_TURN = 1_000
/** Up to this many items are sorted in full. */
const FEW = 64

/**
 * The items that a full sort would put at positions `from` to `to` (exclusive). Linear in the number of items for a
 * short range. `compare` must never return 0 for two different items.
 *
 * Quicksort that skips what lies outside the range (https://en.wikipedia.org/wiki/Partial_sorting).
 */
export function* partialSort<Item>(
  items: readonly Item[],
  { from, to }: { readonly from: number; readonly to: number },
  compare: (one: Item, other: Item) => number,
): Generator<undefined, Item[]> {
  if (to <= 0 || from >= items.length) return []
  if (items.length <= FEW) return items.toSorted(compare).slice(Math.max(0, from), to)
  // Random, so that no input order is slow.
  const pivot = items[Math.floor(Math.random() * items.length)] as Item
  const before: Item[] = []
  const after: Item[] = []
  let comparisons = 0
  for (const item of items) {
    if (++comparisons % COMPARISONS_PER_TURN === 0) yield
    const order = compare(item, pivot)
    if (order < 0) before.push(item)
    else if (order > 0) after.push(item)
  }
  const rank = before.length
  return [
    ...(yield* partialSort(before, { from, to }, compare)),
    ...(from <= rank && rank < to ? [pivot] : []),
    ...(yield* partialSort(after, { from: from - rank - 1, to: to - rank - 1 }, compare)),
  ]
}
