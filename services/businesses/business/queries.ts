import { type HistoryQuery, readHistory } from '../../../shared/event-sourcing/history.ts'
import { readAsOf, stateAt } from '../../../shared/event-sourcing/past-states.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { ListQuery, Versioned } from '../../../shared/event-sourcing/ports/view.ts'
import type { Business } from './evolve.ts'
import { businessesView, readBusinessEvent } from './view.ts'

export interface BusinessListQuery extends Pick<ListQuery, 'search' | 'limit' | 'offset' | 'after' | 'withoutTotal'> {
  /** Milliseconds since the epoch, included. */
  readonly updatedSince?: number | undefined
}

export type BusinessQueries = ReturnType<typeof createBusinessQueries>

/** Reading the businesses in one database, whose ids are in lower case. Throws StoreUnavailable. */
export function createBusinessQueries({ events, view: viewOf }: Pick<Database, 'events' | 'view'>) {
  const view = viewOf(businessesView)
  const past = { events, view }
  return {
    /** As it is, or as it stood at `asOf` (milliseconds since the epoch, included); undefined when there was none. */
    find: (id: string, asOf?: number): Promise<Versioned<Business> | undefined> =>
      asOf === undefined ? view.get(id) : readAsOf(past, id, asOf),
    /** As it was at a version; undefined when it has not come to it, or there is none of this id. */
    async findVersion(id: string, version: number): Promise<Versioned<Business> | undefined> {
      const now = await view.get(id)
      if (now === undefined || now.version <= version) return now?.version === version ? now : undefined
      const state = await stateAt(past, id, version)
      return { state, version, at: state.updatedAt }
    },
    /** The business that a client is. */
    async findByClientId(clientId: string): Promise<Versioned<Business> | undefined> {
      const { rows } = await view.list({ where: { clientId }, search: '', limit: 1, offset: 0, withoutTotal: true })
      return rows[0]
    },
    /** Newest first. Throws CursorNotFound. */
    list: ({ updatedSince, ...query }: BusinessListQuery) =>
      view.list({ ...query, where: {}, between: { updatedAt: { from: updatedSince } } }),
    /** What happened to a business, oldest first; undefined when there is none of this id. */
    history: (query: HistoryQuery) => readHistory(past, readBusinessEvent, query),
  }
}
