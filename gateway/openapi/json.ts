/** A piece of the document, ready for JSON.stringify. */
export type Json = Readonly<Record<string, unknown>>

/** One object of the names and what each comes to; what comes to undefined is left out. */
export function mapToObject<Item>(items: readonly Item[], entry: (item: Item) => readonly [string, unknown]): Json {
  return Object.fromEntries(items.map(entry).filter(([, value]) => value !== undefined))
}
