import { LRUCache } from 'lru-cache'
import { createKeyedQueue } from '../async/keyed-queue.ts'
import type { AuthoredEvent } from '../event-sourcing/event.ts'
import { splitEventData } from '../event-sourcing/history.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import { createStateAfter } from '../event-sourcing/state-after.ts'
import type { Envelope } from './envelope.ts'
import type { Published, PublishedRecord } from './published.ts'

/**
 * Converts an event of a log to its published form; undefined: it is not published. The same event always results in the
 * same envelope. Throws StoreUnavailable.
 */
export type Enveloper = (event: AuthoredEvent) => Promise<Envelope | undefined>

export interface EnveloperOptions {
  readonly database: Pick<Database, 'events' | 'view'>
  readonly published: Published
  /** The name that a principal had at a time; null: there is no such principal. The answer never changes. */
  readonly nameOf: (principal: string, at: number) => Promise<string | null>
}

/**
 * The envelopes of events, in the same order. Those of one record are made one after another, since each starts from the
 * state after the record's previous event.
 */
export function envelopesOf(events: readonly AuthoredEvent[], envelopeOf: Enveloper) {
  const inOrder = createKeyedQueue()
  return Promise.all(events.map((event) => inOrder.run(event.stream.id, () => envelopeOf(event))))
}

/** Few, since a contract can have 10,000 characters of notes. */
const CACHED_RECORDS = 500
const CACHED_NAMELESS = 1_000

export function createEnveloper({ database, published, nameOf }: EnveloperOptions): Enveloper {
  const { events } = database
  /** Authors without a name, cached because finding out that there is none takes a read of the log. */
  const nameless = new LRUCache<string, true>({ max: CACHED_NAMELESS })
  const records = new Map(published.records.map((record) => [record.view.category, enveloping(record)]))

  function enveloping(record: PublishedRecord) {
    const stateAfter = createStateAfter<unknown>({ events, view: database.view(record.view) }, CACHED_RECORDS)
    return async (event: AuthoredEvent): Promise<Envelope> => {
      const actorname = await knownName(event)
      const state = await stateAfter(event)
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
  }

  /** A key is created before anything is written with it, so an unknown principal stays unknown. */
  async function knownName({ by, at }: AuthoredEvent): Promise<string | undefined> {
    if (nameless.has(by)) return undefined
    const name = await nameOf(by, at)
    if (name === null) nameless.set(by, true)
    return name ?? undefined
  }

  return async (event) => await records.get(event.stream.category)?.(event)
}
