import { LRUCache } from 'lru-cache'
import type { AuthoredEvent } from '../event-sourcing/event.ts'
import { setBy } from '../event-sourcing/history.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import { createStateAfter } from '../event-sourcing/state-after.ts'
import type { Envelope } from './envelope.ts'
import type { Published, PublishedRecord } from './published.ts'

/**
 * Turns an event of a log into what others are notified of; undefined: nobody is. The same event always becomes the same
 * envelope. Throws StoreUnavailable.
 */
export type Enveloper = (event: AuthoredEvent) => Promise<Envelope | undefined>

export interface EnveloperOptions {
  readonly database: Pick<Database, 'events' | 'view'>
  readonly published: Published
  /** The name of a key, valid or not; null when there is none of this id. It never changes. */
  readonly nameOf: (id: string) => Promise<string | null>
}

/** Few, since a contract can have 10,000 characters of notes. */
const CACHED_RECORDS = 500
const CACHED_NAMES = 1_000

export function createEnveloper({ database, published, nameOf }: EnveloperOptions): Enveloper {
  const { events } = database
  const names = new LRUCache<string, { readonly name: string | undefined }>({ max: CACHED_NAMES })
  const records = new Map(published.records.map((record) => [record.view.category, enveloping(record)]))

  function enveloping(record: PublishedRecord) {
    const stateAfter = createStateAfter<unknown>({ events, view: database.view(record.view) }, CACHED_RECORDS)
    return async (event: AuthoredEvent): Promise<Envelope> => {
      const actorname = await knownName(event.by)
      const state = await stateAfter(event)
      const { overrideReason: overridereason, data: set } = setBy({ version: event.version, event: record.read(event) })
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
        changed: record.changed(set).join(),
        ...(overridereason !== undefined && { overridereason }),
        data: JSON.stringify({ ...record.record(state, event, actorname), version: event.version }),
      }
    }
  }

  /** A key is created before anything is written with it, so an unknown one stays unknown. */
  async function knownName(id: string): Promise<string | undefined> {
    const known = names.get(id) ?? { name: (await nameOf(id)) ?? undefined }
    names.set(id, known)
    return known.name
  }

  return async (event) => await records.get(event.stream.category)?.(event)
}
