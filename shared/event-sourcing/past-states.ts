import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LogEvent, RecordedEvent, StreamName } from './event.ts'
import type { EventStore, StreamRange } from './ports/event-store.ts'
import type { Versioned, View, ViewDefinition } from './ports/view.ts'
import { SNAPSHOT_INTERVAL } from './snapshots.ts'

/** What past states of one kind of aggregate are read from. */
export interface Past<State> {
  readonly events: Pick<EventStore, 'readStream'>
  readonly view: Pick<View<State>, 'get' | 'snapshot'> & {
    readonly definition: Pick<ViewDefinition<State>, 'category' | 'fold' | 'initial'>
  }
}

/**
 * The aggregate at a version that it has reached, folded from its row or, if the row is newer, from the last snapshot
 * before that version. Without a snapshot (the log of an earlier Mint whose views were not rebuilt), the stream is
 * folded from its beginning, in chunks. Throws an Error when the log has no such version.
 */
export async function stateAt<State>({ events, view }: Past<State>, id: string, version: number): Promise<State> {
  const { category, fold, initial } = view.definition
  if (version === 0 && initial !== undefined) return initial
  const [row, snapshot] = await Promise.all([
    view.get(id),
    version < SNAPSHOT_INTERVAL ? undefined : view.snapshot(id, { version }),
  ])
  let found: Versioned<State> | undefined = row !== undefined && row.version <= version ? row : snapshot
  const range = { afterVersion: found?.version ?? 0, upToVersion: version }
  for await (const chunk of readInChunks(events, { category, id }, range)) {
    found = chunk.reduce((before, event) => foldOne(fold, before, event), found)
  }
  if (found?.version !== version) throw new Error(`The log has no version ${version} of ${category} ${id}.`)
  return found.state
}

/** The aggregate at a version, as of a moment, or, without either, now; undefined: there is, or was, none. */
export async function readPast<State>(
  past: Past<State>,
  id: string,
  { version, asOf }: { readonly version: number | undefined; readonly asOf: number | undefined },
): Promise<Pick<Versioned<State>, 'state' | 'version'> | undefined> {
  if (version === undefined) return await (asOf === undefined ? past.view.get(id) : readAsOf(past, id, asOf))
  const now = await past.view.get(id)
  if (now === undefined || now.version <= version) return now?.version === version ? now : undefined
  return { state: await stateAt(past, id, version), version }
}

/**
 * The aggregate as of a moment (milliseconds since the epoch, inclusive); undefined before its creation and for an
 * unknown id. Times never decrease within a stream, so the events up to the moment are its first ones.
 */
export async function readAsOf<State>(
  { events, view }: Past<State>,
  id: string,
  asOf: number,
): Promise<Versioned<State> | undefined> {
  const now = await view.get(id)
  if (now === undefined || now.at <= asOf) return now
  const { category, fold } = view.definition
  let then = now.version > SNAPSHOT_INTERVAL ? await view.snapshot(id, { at: asOf }) : undefined
  for await (const chunk of readInChunks(events, { category, id }, { afterVersion: then?.version ?? 0 })) {
    for (const event of chunk) {
      if (event.at > asOf) return then
      then = foldOne(fold, then, event)
    }
  }
  return then
}

function foldOne<State>(
  fold: ViewDefinition<State>['fold'],
  before: Versioned<State> | undefined,
  event: LogEvent,
): Versioned<State> {
  return { state: fold(before?.state, event), version: event.version, at: event.at }
}

/** How many events are in memory at a time: 160 KB when each has 10,000 characters. */
const EVENTS_PER_CHUNK = 16

/**
 * A stream's events in version order. However long the stream, only one chunk is in memory, and other work gets a turn
 * after each chunk.
 */
export async function* readInChunks(
  events: Pick<EventStore, 'readStream'>,
  stream: StreamName,
  { afterVersion = 0, upToVersion = Number.MAX_SAFE_INTEGER }: StreamRange = {},
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let after = afterVersion; after < upToVersion; after += EVENTS_PER_CHUNK) {
    const range = { afterVersion: after, upToVersion: Math.min(after + EVENTS_PER_CHUNK, upToVersion) }
    const chunk = await events.readStream(stream, range)
    if (chunk.length > 0) yield chunk
    if (chunk.length < EVENTS_PER_CHUNK) return
    await nextTurn()
  }
}
