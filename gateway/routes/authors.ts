import type { ApiKeys } from '../../shared/api-keys/serving/api-keys.ts'
import { formatTimestamp } from '../../shared/fields/timestamp.ts'
import type { EventMessage } from '../../shared/kinds/record-methods.ts'

/** Finds the names of keys by id. */
export type KeyNames = Pick<ApiKeys, 'nameOf'>

/**
 * Events in their REST form, with the names of their authors; each name is fetched once. `isClosable`: whether they
 * show why they were written into a closed period.
 */
export async function eventRecords(
  events: readonly EventMessage[],
  keys: KeyNames,
  { toRecord, isClosable = false }: { toRecord: (fields: object) => object; isClosable?: boolean | undefined },
): Promise<object[]> {
  const proposers = events.flatMap(({ proposedBy: by }) => (by === undefined ? [] : [{ by }]))
  const names = await namesOf([...events, ...proposers], keys)
  return events.map(({ version, type, at, by, data, before, overrideReason = null, proposedBy }) => ({
    ...{ version, type, at: formatTimestamp(at), by, byName: names.get(by) ?? null },
    ...(isClosable && { overrideReason }),
    ...(proposedBy !== undefined && { proposedBy, proposedByName: names.get(proposedBy) ?? null }),
    ...{ data: toRecord(data ?? {}), before: toRecord(before ?? {}) },
  }))
}

/** The names of the authors of events, by id; each name is fetched once. */
export async function namesOf(
  authored: readonly { readonly by: string }[],
  keys: KeyNames,
): Promise<ReadonlyMap<string, string | null>> {
  const authors = [...new Set(authored.map(({ by }) => by))]
  return new Map(await Promise.all(authors.map(async (by) => [by, await keys.nameOf(by)] as const)))
}
