import type { Api } from '../api/client.ts'
import type { Json, RecordJson } from '../api/json.ts'
import { retryWhileBusy } from '../csv/retry-while-busy.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { type HistoryEvent, newestEvents } from '../records/history.ts'
import { firm, kinds, pathsOf, type RecordKind } from '../records/kinds.ts'
import { type FeedPage, type FeedSpan, newestFirst } from './newest-first.ts'

/** A change to a record. */
export interface Change extends HistoryEvent {
  readonly kind: RecordKind
  /** Of the record: `contracts/7`. */
  readonly path: string
  readonly record: RecordJson
}

/** The name of the record that has changed. */
export const titleOf = ({ kind, record }: Change): string => (kind.isSingle ? kind.title : kind.titleOf(record))

/** Which changes somebody wants; undefined: all. */
export interface ChangeFilters extends Pick<FeedSpan, 'since' | 'until'> {
  readonly kind: RecordKind | undefined
  readonly by: string | undefined
  /** Whether only those in a closed period are wanted, which have a reason. */
  readonly inClosedPeriod: boolean
  /** The path of a record. */
  readonly record: string | undefined
}

const closing: RecordKind = {
  ...firm,
  one: 'closing',
  many: 'closing',
  title: text('closing.title'),
  schema: 'Closing',
  creation: undefined,
  // Every change shows these already.
  ids: { at: '', by: '', byName: '' },
}

/** The kinds whose changes are shown. */
export const changingKinds: readonly RecordKind[] = [
  ...Object.values(kinds).filter(({ creation }) => creation !== undefined),
  closing,
  firm,
]

/** How many events, and their histories, are read at once; more if few of them are wanted. */
const [PAGE_SIZE, LARGE_PAGE_SIZE] = [100, 1_000]

/** Finds changes, newest first, some at a time. */
export async function* findChanges(
  { api, document }: Pick<PageContext, 'api' | 'document'>,
  { kind, by, inClosedPeriod, record, since, until }: ChangeFilters,
  signal: AbortSignal,
): AsyncGenerator<readonly Change[]> {
  const isWanted = ({ overrideReason }: Change) => !inClosedPeriod || Boolean(overrideReason)
  if (record !== undefined) {
    const isBetween = (time: number) => since <= time && time <= until
    const changes = await changesOf(api, record, signal)
    const found = changes.filter((change) => isBetween(Date.parse(change.at)) && (by ?? change.by) === change.by)
    yield found.filter(isWanted)
    return
  }
  const types = document.schema('EventType').enum ?? []
  const filters = {
    types: kind && types.filter((type) => kindOf(type) === kind).join(),
    by,
    limit: inClosedPeriod ? LARGE_PAGE_SIZE : PAGE_SIZE,
  }
  const read = async ({ after, ...span }: FeedSpan): Promise<FeedPage<FeedEvent>> => {
    const [since, until] = [span.since, span.until].map((time) => new Date(time).toISOString())
    const query = { ...filters, after, since, until }
    return await retryWhileBusy(() => api.get('events', { query, signal }), signal)
  }
  for await (const events of newestFirst(read, { since, until })) {
    const changes = events.flatMap(toChange).filter(isWanted)
    yield await Promise.all(changes.map((change) => withBefore(api, change, signal)))
  }
}

async function changesOf(api: Api, path: string, signal: AbortSignal): Promise<readonly Change[]> {
  const kind = changingKinds.find(({ many, creation }) => creation !== undefined && many === path.split('/')[0])
  if (kind === undefined) return []
  const record = await api.get(path, { signal })
  const { events } = await newestEvents(api, path, { wanted: Number.POSITIVE_INFINITY, signal })
  return events.map((event) => ({ ...event, kind, path, record }))
}

/** Requests two events, because the history of closings has no old values. */
async function withBefore(api: Api, change: Change, signal: AbortSignal): Promise<Change> {
  const { path, version } = change
  if (version === 1) return change
  const query = { offset: version - 2, limit: 2 }
  const { events } = await retryWhileBusy(() => api.get(`${path}/history`, { query, signal }), signal)
  return { ...change, before: events.at(-1).before ?? events.at(-2) }
}

/** An event of the feed, as the API answers it. */
type FeedEvent = RecordJson & { readonly time: string }

const kindOf = (type: string): RecordKind | undefined =>
  changingKinds.find(({ one }) => type.startsWith(`mint.${one}.`))

function toChange({ type, subject, time: at, recordversion: version, data: record, ...event }: FeedEvent): Change[] {
  const kind = kindOf(type)
  if (kind === undefined) return []
  const { path } = pathsOf(kind, subject)
  const { actor: by, actorname: byName = null, overridereason: overrideReason = null, changed } = event
  const data = Object.fromEntries(changed.split(',').map((name: string): [string, Json] => [name, record[name]]))
  return [{ kind, path, record, type, at, version, by, byName, overrideReason, data, before: {} }]
}
