import { LRUCache } from 'lru-cache'
import { mapInGroups } from '../async/map-in-groups.ts'
import type { AuthoredEvent } from '../event-sourcing/event.ts'
import { splitEventData } from '../event-sourcing/history.ts'
import { type Past, stateAt } from '../event-sourcing/past-states.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import type { Envelope } from './envelope.ts'
import type { Published, PublishedRecord } from './published.ts'

/**
 * Converts events of a log to their published form, in the same order; undefined: it is not published. The same event
 * always results in the same envelope. Throws StoreUnavailable.
 */
export type Enveloper = (events: readonly AuthoredEvent[]) => Promise<readonly (Envelope | undefined)[]>

export interface EnveloperOptions {
  readonly database: Pick<Database, 'events' | 'view'>
  readonly published: Published
  /** The name that a principal had at a time; null: there is no such principal. The answer never changes. */
  readonly nameOf: (principal: string, at: number) => Promise<string | null>
}

const CACHED_NAMELESS = 1_000
/** How many records are read concurrently: some events of each are in memory. On MongoDB each group waits for the log. */
const RECORDS_AT_ONCE = 64

export function createEnveloper({ database, published, nameOf }: EnveloperOptions): Enveloper {
  const { events: log } = database
  /** Authors without a name, cached because finding out that there is none takes a read of the log. */
  const nameless = new LRUCache<string, true>({ max: CACHED_NAMELESS })
  const records = new Map(
    published.records.map((record) => [
      record.view.category,
      { record, past: { events: log, view: database.view(record.view) } },
    ]),
  )

  async function envelopeOf(record: PublishedRecord, event: AuthoredEvent, state: unknown): Promise<Envelope> {
    const actorname = await knownName(event)
    const { overrideReason: overridereason, data: fields } = splitEventData({
      version: event.version,
      event: record.read(event),
    })
    const source = `mint/${published.part}` as const
    return {
      id: `${source}/${event.position}`,
      source,
      type: record.types[event.version === 1 ? 0 : 1],
      subject: event.stream.id,
      time: event.at,
      recordversion: event.version,
      actor: event.by,
      ...(actorname !== undefined && { actorname }),
      changed: record.changed(fields).join(),
      ...(overridereason !== undefined && { overridereason }),
      ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
      data: JSON.stringify({ ...record.record(state, event, actorname), version: event.version }),
    }
  }

  /** A key is created before anything is written with it, so an unknown principal stays unknown. */
  async function knownName({ by, at }: AuthoredEvent): Promise<string | undefined> {
    if (nameless.has(by)) return undefined
    const name = await nameOf(by, at)
    if (name === null) nameless.set(by, true)
    return name ?? undefined
  }

  return async (events) => {
    const envelopes = new Map<AuthoredEvent, Envelope>()
    const byRecord = Map.groupBy(events, ({ stream }) => `${stream.category} ${stream.id}`)
    await mapInGroups([...byRecord.values()], RECORDS_AT_ONCE, async (own) => {
      const known = records.get(own[0]?.stream.category ?? '')
      if (known === undefined) return
      for await (const { event, state } of statesAfter(known.past, own)) {
        envelopes.set(event, await envelopeOf(known.record, event, state))
      }
    })
    return events.map((event) => envelopes.get(event))
  }
}

/**
 * The state after each of some events of one record, in order. An event is folded onto the one before; only one that
 * doesn't follow it, such as the first of a batch unless it is the creation, takes a read.
 */
async function* statesAfter(past: Past<unknown>, own: readonly AuthoredEvent[]) {
  const { fold } = past.view.definition
  let state: unknown
  let version = 0
  for (const event of own) {
    const follows = event.version === version + 1
    state = follows ? fold(state, event) : await stateAt(past, event.stream.id, event.version)
    version = event.version
    yield { event, state }
  }
}
