import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * The results of an asynchronous function for each item, in order. It runs for at most `atOnce` items concurrently, and
 * other work gets a turn in between, even if all results come from SQLite, which answers within the same turn.
 */
export async function mapInGroups<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let first = 0; first < items.length; first += atOnce) {
    if (first > 0) await nextTurn()
    results.push(...(await Promise.all(items.slice(first, first + atOnce).map(map))))
  }
  return results
}
