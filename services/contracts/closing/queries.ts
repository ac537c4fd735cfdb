import type { RecordedEvent } from '../../../shared/event-sourcing/event.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { ClosingFields } from './events.ts'
import { CLOSING, closingView, readClosingEvent } from './view.ts'

/** The closing after one of its changes. */
export interface RecordedClosing extends ClosingFields {
  readonly version: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly by: string
}

export type ClosingQueries = ReturnType<typeof createClosingQueries>

/** Reads the closing of one database. Throws StoreUnavailable. */
export function createClosingQueries({ events, view: viewOf }: Pick<Database, 'events' | 'view'>) {
  const view = viewOf(closingView)

  async function between(afterVersion: number, upToVersion: number): Promise<readonly RecordedClosing[]> {
    return (await events.readStream(CLOSING, { afterVersion, upToVersion })).map(toClosing)
  }

  const version = async (): Promise<number> => (await view.get(CLOSING.id))?.version ?? 0

  return {
    /** The closing at a version; undefined if there is no such version. */
    async at(change: number): Promise<RecordedClosing | undefined> {
      return (await between(change - 1, change))[0]
    },
    version,
    /** Oldest first. */
    async history({ limit, offset }: { readonly limit: number; readonly offset: number }) {
      const total = await version()
      return { closings: offset < total ? await between(offset, Math.min(offset + limit, total)) : [], total }
    },
  }
}

function toClosing(event: RecordedEvent): RecordedClosing {
  const { data, at } = readClosingEvent(event)
  return { ...data, version: event.version, at, by: event.by }
}
