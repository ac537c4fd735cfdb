import { isDeepStrictEqual } from 'node:util'
import { firmView } from '../../services/contracts/firm/view.ts'
import { apiKeysView } from '../../shared/api-keys/view.ts'
import { changesOf } from '../../shared/event-sourcing/history.ts'
import type { Past } from '../../shared/event-sourcing/past-states.ts'
import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import { firmFields } from '../../shared/fields/firm-fields.ts'
import { KINDS, type KindName } from '../../shared/kinds/registry.ts'
import { CommandFailure } from '../exit.ts'
import { administrationOf, idOfKey } from './keys.ts'
import { type PartName, type Parts, viewsOf } from './parts.ts'

export type HistoryKind = KindName | 'key' | 'firm'

/** Where the records of a kind are. `order`: the fields to show first, in this order. */
function placeOf(kind: HistoryKind) {
  if (kind === 'key') return { part: 'gateway' as const, view: apiKeysView, order: [] }
  if (kind === 'firm') return { part: 'contracts' as const, view: firmView, order: Object.keys(firmFields) }
  const { part, fields } = KINDS[kind]
  const view = viewsOf[part].find(({ category }) => category === kind)
  if (view === undefined) throw new Error(`${part} has no view of the category ${kind}`)
  return { part, view, order: Object.keys(fields) }
}

/** One event of a record: who changed what, when, from what to what. */
export interface Change {
  /** The record's version after it. */
  readonly version: number
  readonly type: string
  /** RFC 3339. */
  readonly at: string
  /** The principal of the API key, or the name that a caller over gRPC gave. */
  readonly by: string
  /** Their name; null: no such principal is known. */
  readonly byName: string | null
  readonly requestId: string
  /** Of a contract: why it was written into a closed period; null: it was not. */
  readonly overrideReason: string | null
  /** Of a contract: the principal that proposed what `by` accepted; null: nobody. */
  readonly proposedBy: string | null
  readonly proposedByName: string | null
  /** `from` is null at the creation. */
  readonly fields: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[]
}

type State = Readonly<Record<string, unknown>>

/** What an event of a contract may record besides the fields that it set. */
interface Circumstances {
  readonly overrideReason?: string
  readonly proposedBy?: string
}

/** Not shown: times that every event sets (its own time says the same), and the hashes of a key's secrets. */
const HIDDEN = new Set(['createdAt', 'updatedAt', 'secrets'])
/** Times of a key that are stored in milliseconds since the epoch; shown in RFC 3339, like all others. */
const TIMES = new Set(['expiresAt', 'revokedAt'])

/**
 * The changes to one record, oldest first; a key may also be given by its name. Throws CommandFailure if there is no such
 * record.
 */
export async function* history(
  parts: Pick<Parts, PartName>,
  { kind, id: given }: { readonly kind: HistoryKind; readonly id: string },
): AsyncGenerator<Change> {
  const { part, view, order } = placeOf(kind)
  const keys = administrationOf(parts)
  const id = kind === 'key' ? await idOfKey(keys, given) : given.toLowerCase()
  const { events, view: viewOf } = parts[part]
  const past: Past<State> = { events, view: viewOf<State>(view as AnyViewDefinition) }
  const names = new Map<string, string | null>()
  let isThere = past.view.definition.initial !== undefined
  for await (const { event, before, after } of changesOf(past, id)) {
    isThere = true
    const { by } = event
    const { overrideReason = null, proposedBy = null } = event.data as Circumstances
    for (const one of [by, proposedBy]) {
      if (one !== null && !names.has(one)) names.set(one, await keys.nameOf(one))
    }
    yield {
      version: event.version,
      type: event.type,
      at: new Date(event.at).toISOString(),
      by,
      byName: names.get(by) ?? null,
      requestId: event.requestId,
      overrideReason,
      proposedBy,
      proposedByName: proposedBy === null ? null : (names.get(proposedBy) ?? null),
      fields: changesBetween(before ?? past.view.definition.initial, after, order),
    }
  }
  if (!isThere) throw new CommandFailure(`There is no ${kind} ${given}.`)
}

function changesBetween(before: State | undefined, after: State, order: readonly string[]): Change['fields'] {
  return [...new Set([...order, ...Object.keys(after)])]
    .filter((field) => !HIDDEN.has(field) && !isDeepStrictEqual(before?.[field], after[field]))
    .map((field) => ({ field, from: shown(field, before?.[field]) ?? null, to: shown(field, after[field]) }))
}

const shown = (field: string, value: unknown): unknown =>
  TIMES.has(field) && typeof value === 'number' ? new Date(value).toISOString() : value
