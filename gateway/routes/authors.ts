import type { ApiKeys } from '../auth/api-keys.ts'

/** What knows the keys by their ids. */
export type KeyNames = Pick<ApiKeys, 'nameOf'>

/** Events as records, each with the name of its author; every author is asked for once. */
export async function withNames<Event extends { readonly by: string }, Record>(
  events: readonly Event[],
  keys: KeyNames,
  toRecord: (event: Event, byName: string | null) => Record,
): Promise<Record[]> {
  const authors = [...new Set(events.map(({ by }) => by))]
  const names = await Promise.all(authors.map((by) => keys.nameOf(by)))
  const nameOf = new Map(authors.map((by, index) => [by, names[index] ?? null]))
  return events.map((event) => toRecord(event, nameOf.get(event.by) ?? null))
}
