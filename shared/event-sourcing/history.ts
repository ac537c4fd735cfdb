import type { DomainEvent, RecordedEvent, Timed } from './event.ts'
import { type Past, readInChunks, stateAt } from './past-states.ts'
import type { StreamRange } from './ports/event-store.ts'
import type { EventReader } from './upcasting.ts'

/** One event of an aggregate, with the states before and after it. */
export interface Change<State> {
  readonly event: RecordedEvent
  /** undefined for the creation. */
  readonly before: State | undefined
  readonly after: State
}

/** The changes to an aggregate, oldest first, read from its stream in chunks; none for an unknown id. */
export async function* changesOf<State>(
  past: Past<State>,
  id: string,
  range: StreamRange = {},
): AsyncGenerator<Change<State>> {
  const { category, fold } = past.view.definition
  const { afterVersion = 0 } = range
  let before: State | undefined
  if (afterVersion > 0) before = await stateAt(past, id, afterVersion)
  for await (const chunk of readInChunks(past.events, { category, id }, range)) {
    for (const event of chunk) {
      const after = fold(before, event)
      yield { event, before, after }
      before = after
    }
  }
}

/** An event of an aggregate, upcast to its current type, with its context. */
export interface HistoryEvent<State, Event extends DomainEvent> {
  /** The aggregate's version after it. */
  readonly version: number
  readonly by: string
  readonly event: Timed<Event>
  /** The aggregate before it; undefined for the creation. */
  readonly before: State | undefined
}

export interface HistoryPage<State, Event extends DomainEvent> {
  /** Oldest first. */
  readonly events: readonly HistoryEvent<State, Event>[]
  /** How many events there are in total. */
  readonly total: number
}

/** A page of an aggregate's history; undefined for an unknown id. */
export async function readHistory<State, Event extends DomainEvent>(
  past: Past<State>,
  read: EventReader<Event>,
  { id, limit, offset }: { readonly id: string; readonly limit: number; readonly offset: number },
): Promise<HistoryPage<State, Event> | undefined> {
  const row = await past.view.get(id)
  if (row === undefined) return undefined
  const events: HistoryEvent<State, Event>[] = []
  if (offset < row.version) {
    const range = { afterVersion: offset, upToVersion: Math.min(offset + limit, row.version) }
    for await (const { event, before } of changesOf(past, id, range)) {
      events.push({ version: event.version, by: event.by, event: read(event), before })
    }
  }
  return { events, total: row.version }
}

/** Splits an event's data into the fields that it set, including times, and why and on whose proposal it was written. */
export function splitEventData({ version, event }: Pick<HistoryEvent<unknown, DomainEvent>, 'version' | 'event'>) {
  const { overrideReason, proposedBy, ...fields } = event.data as {
    readonly overrideReason?: string
    readonly proposedBy?: string
  }
  const data = { ...fields, ...(version === 1 && { createdAt: event.at }), updatedAt: event.at }
  return { overrideReason, proposedBy, data }
}

/** The values that the fields of `data` have in a state; {} without a state. */
export function pickFields<State extends object>(state: State | undefined, data: object): Partial<State> {
  if (state === undefined) return {}
  return Object.fromEntries(Object.entries(state).filter(([field]) => Object.hasOwn(data, field))) as Partial<State>
}
