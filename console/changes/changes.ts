import type { RecordJson } from '../api/json.ts'
import { patiently } from '../csv/patiently.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { type HistoryEvent, newestEvents } from '../records/history.ts'
import { firm, kinds, pathsOf, type RecordKind } from '../records/kinds.ts'
import { type FeedPage, type FeedSpan, newestFirst } from './newest-first.ts'

/** An event of the feed, as the API answers it. */
interface FeedEvent {
  readonly type: string
  readonly subject: string
  readonly time: string
  readonly recordversion: number
  readonly actor: string
  readonly actorname?: string
  readonly changed: string
  readonly overridereason?: string
  readonly data: RecordJson
}

/** A change of a record. */
export interface Change extends HistoryEvent {
  readonly kind: RecordKind
  /** Of the record: `contracts/7`. */
  readonly path: string
  readonly record: RecordJson
}

/** A change whose old values may have to be found yet. */
type FoundChange = Omit<Change, 'before'> & Partial<Pick<Change, 'before'>>

/** Which changes somebody wants; undefined: all. */
export interface ChangeFilters extends Pick<FeedSpan, 'since' | 'until'> {
  readonly kind: RecordKind | undefined
  readonly by: string | undefined
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
  titleOf: () => text('closing.title'),
}

/** What changes are shown of. */
export const changingKinds: readonly RecordKind[] = [
  ...Object.values(kinds).filter(({ creation }) => creation !== undefined),
  closing,
  firm,
]

/** Creates what finds changes, with their old values. */
export function createChanges({ api, document }: Pick<PageContext, 'api' | 'document'>) {
  const types = document.schema('NewWebhook').properties?.types?.items?.enum ?? []
  /** What records were, by path and version. */
  const known = new Map<string, RecordJson>()
  const keyOf = (path: string, version: number) => `${path} ${version}`

  /** The changes that fit, newest first, some at a time; `limit`: how many are read at once. */
  async function* find(filters: ChangeFilters, limit: number, signal: AbortSignal): AsyncGenerator<FoundChange[]> {
    const { kind, by, record, since, until } = filters
    if (record !== undefined) {
      yield await findOfRecord(record, filters, signal)
      return
    }
    const ofKind = kind && types.filter((type) => kindOf(type) === kind).join()
    const read = async ({ after, since, until }: FeedSpan): Promise<FeedPage<FeedEvent>> => {
      const query = { after, since: since && timestamp(since), until: timestamp(until), types: ofKind, by, limit }
      return (await patiently(() => api.get('events', { query, signal }), signal)).body
    }
    for await (const events of newestFirst(read, { since, until })) yield events.flatMap(toChange)
  }

  async function findOfRecord(path: string, filters: ChangeFilters, signal: AbortSignal): Promise<FoundChange[]> {
    const kind = changingKinds.find(({ many }) => many === path.split('/')[0])
    const { since = 0, until, by } = filters
    if (kind?.creation === undefined) return []
    const { body: record } = await api.get(path, { signal })
    const { events } = await newestEvents(api, path, { wanted: Number.POSITIVE_INFINITY, signal })
    return events
      .filter((event) => between(since, Date.parse(event.at), until) && (by === undefined || event.by === by))
      .map((event) => ({ ...event, kind, path, record }))
  }

  /** Two events of a history are asked for, as that of closings has no old values. */
  async function findBefore({ path, version }: FoundChange, signal: AbortSignal): Promise<RecordJson> {
    if (version === 1) return {}
    const query = { offset: Math.max(0, version - 2), limit: 2 }
    const { body } = await patiently(() => api.get(`${path}/history`, { query, signal }), signal)
    return body.events.at(-1)?.before ?? body.events.at(-2) ?? {}
  }

  /** The same with what was there before each. */
  async function withBefore(changes: readonly FoundChange[], signal: AbortSignal): Promise<readonly Change[]> {
    const missing = changes.filter(({ before }) => before === undefined)
    for (const { path, version, record } of missing) known.set(keyOf(path, version), record)
    const done: Change[] = []
    for (let start = 0; start < changes.length; start += AT_ONCE) {
      const some = changes.slice(start, start + AT_ONCE).map(async (change) => {
        const key = keyOf(change.path, change.version - 1)
        const before = change.before ?? known.get(key) ?? (await findBefore(change, signal))
        if (change.before === undefined) known.set(key, before)
        return { ...change, before }
      })
      done.push(...(await Promise.all(some)))
    }
    return done
  }

  return { find, withBefore }
}

/** How many histories are asked at once. */
const AT_ONCE = 100

const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString()

const between = (from: number, value: number, to: number): boolean => from <= value && value <= to

const kindOf = (type: string): RecordKind | undefined =>
  changingKinds.find(({ one }) => type.startsWith(`mint.${one}.`))

function toChange(event: FeedEvent): FoundChange[] {
  const { type, subject, time: at, recordversion: version, actor: by, actorname: byName = null, data: record } = event
  const kind = kindOf(type)
  if (kind === undefined) return []
  const data = Object.fromEntries(event.changed.split(',').map((name) => [name, record[name]]))
  const { path } = pathsOf(kind, subject)
  return [{ kind, path, type, at, version, by, byName, overrideReason: event.overridereason ?? null, data, record }]
}
