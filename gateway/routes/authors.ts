import type { ApiKeys } from '../auth/api-keys.ts'
import { type EventMessage, eventRecord } from '../records/event.ts'

/** What knows the keys by their ids. */
export type KeyNames = Pick<ApiKeys, 'nameOf'>

/** Events as records, each with the name of its author; every author is asked for once. */
export async function eventRecords<Fields>(
  events: readonly EventMessage<Fields>[],
  keys: KeyNames,
  form: (fields: Fields | Record<string, never>) => object,
): Promise<object[]> {
  const authors = [...new Set(events.map(({ by }) => by))]
  const names = new Map(await Promise.all(authors.map(async (by) => [by, await keys.nameOf(by)] as const)))
  return events.map((event) => eventRecord(event, names.get(event.by) ?? null, form))
}
