import type { LogEvent } from './event.ts'
import type { EventStore } from './ports/event-store.ts'
import type { Versioned, View, ViewDefinition } from './ports/view.ts'
import { SNAPSHOT_INTERVAL } from './snapshots.ts'
import { readInChunks } from './stream-chunks.ts'

/** Where the past states of one kind of aggregate are read from. */
export interface Past<State> {
  readonly events: Pick<EventStore, 'readStream'>
  readonly view: Pick<View<State>, 'get' | 'snapshot'> & {
    readonly definition: Pick<ViewDefinition<State>, 'category' | 'fold'>
  }
}

/**
 * The aggregate at a version that it has reached: from its view if the view is at that version, otherwise folded from
 * the last snapshot before it. Without a snapshot (the log of an earlier Mint whose views were not rebuilt) the stream
 * is folded from its beginning, chunk by chunk. Throws an Error when the log has no such version.
 */
export async function stateAt<State>({ events, view }: Past<State>, id: string, version: number): Promise<State> {
  const { category, fold } = view.definition
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
