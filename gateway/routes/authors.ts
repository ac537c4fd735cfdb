import type { ApiKeys } from '../../shared/api-keys/serving/api-keys.ts'
import { formatTimestamp } from '../../shared/fields/shown-timestamp.ts'
import type { EventMessage } from '../records/event.ts'

/** Knows the names of keys by their ids. */
export type KeyNames = Pick<ApiKeys, 'nameOf'>

/** Events in their REST form, each with the name of its author; each name is fetched once. */
export async function eventRecords<Fields>(
  events: readonly EventMessage<Fields>[],
  keys: KeyNames,
  form: (fields: Fields | Record<string, never>) => object,
): Promise<object[]> {
  const names = await namesOf(events, keys)
  return events.map(({ version, type, at, by, data, before }) => {
    const byName = names.get(by) ?? null
    return { version, type, at: formatTimestamp(at), by, byName, data: form(data ?? {}), before: form(before ?? {}) }
  })
}

/** The names of the authors of these, by id; each name is fetched once. */
export async function namesOf(
  authored: readonly { readonly by: string }[],
  keys: KeyNames,
): Promise<ReadonlyMap<string, string | null>> {
  const authors = [...new Set(authored.map(({ by }) => by))]
  return new Map(await Promise.all(authors.map(async (by) => [by, await keys.nameOf(by)] as const)))
}
