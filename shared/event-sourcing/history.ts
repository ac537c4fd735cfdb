import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DomainEvent, Timed } from './event.ts'
import type { EventStore } from './ports/event-store.ts'
import type { Versioned, View } from './ports/view.ts'
import type { EventReader } from './upcasting.ts'

/** Where the past of one kind of aggregate is found. */
export interface Past<State> {
  readonly events: Pick<EventStore, 'readStream'>
  readonly view: Pick<View<State>, 'definition' | 'get'>
}

/** An event of an aggregate in today's shape, with what is known about it. */
export interface HistoryEvent<Event extends DomainEvent> {
  /** The aggregate's version after it. */
  readonly version: number
  readonly by: string
  readonly event: Timed<Event>
}

export interface HistoryPage<Event extends DomainEvent> {
  /** Oldest first. */
  readonly events: readonly HistoryEvent<Event>[]
  /** How many there are, whatever the page. */
  readonly total: number
}

/** A page of what happened to an aggregate; undefined when there is none of this id. */
export async function readHistory<State, Event extends DomainEvent>(
  { events, view }: Past<State>,
  read: EventReader<Event>,
  { id, limit, offset }: { readonly id: string; readonly limit: number; readonly offset: number },
): Promise<HistoryPage<Event> | undefined> {
  const row = await view.get(id)
  if (row === undefined) return undefined
  const { category } = view.definition
  const range = { afterVersion: offset, upToVersion: Math.min(offset + limit, row.version) }
  const found = offset < row.version ? await events.readStream({ category, id }, range) : []
  return {
    events: found.map((event) => ({ version: event.version, by: event.by, event: read(event) })),
    total: row.version,
  }
}

/** So many events are folded before others get their turn. */
const EVENTS_PER_TURN = 500

/**
 * The aggregate as it stood at a moment (milliseconds since the epoch, included); undefined before its creation, and
 * when there is none of this id. Times never fall within a stream, so events up to the moment are its first ones.
 */
export async function readAsOf<State>(
  { events, view }: Past<State>,
  id: string,
  asOf: number,
): Promise<Versioned<State> | undefined> {
  const now = await view.get(id)
  if (now === undefined || now.at <= asOf) return now
  const { category, fold } = view.definition
  let then: Versioned<State> | undefined
  for (;;) {
    const range = { afterVersion: then?.version ?? 0, upToTime: asOf, limit: EVENTS_PER_TURN }
    const found = await events.readStream({ category, id }, range)
    for (const event of found) then = { state: fold(then?.state, event), version: event.version, at: event.at }
    if (found.length < EVENTS_PER_TURN) return then
    await nextTurn()
  }
}
