import { type HistoryPage, readHistory } from '../../../shared/event-sourcing/history.ts'
import { readAsOf } from '../../../shared/event-sourcing/past-states.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { ListQuery, Page, Versioned } from '../../../shared/event-sourcing/ports/view.ts'
import type { BusinessEvent } from './events.ts'
import type { Business } from './evolve.ts'
import { businessesView, readBusinessEvent } from './view.ts'

export interface BusinessListQuery extends Pick<ListQuery, 'search' | 'limit' | 'offset' | 'after' | 'withoutTotal'> {
  /** Milliseconds since the epoch, included. */
  readonly updatedSince?: number | undefined
}

export interface BusinessHistoryQuery {
  readonly id: string
  readonly limit: number
  readonly offset: number
}

/** Reading businesses, whose ids are in lower case. Throws StoreUnavailable. */
export interface BusinessQueries {
  /**
   * The business of an id as it is, or as it stood at `asOf` (milliseconds since the epoch, included); undefined when
   * there was none.
   */
  find(id: string, asOf?: number): Promise<Versioned<Business> | undefined>
  /** The business that a client is. */
  findByClientId(clientId: string): Promise<Versioned<Business> | undefined>
  /** Businesses, newest first. Throws CursorNotFound. */
  list(query: BusinessListQuery): Promise<Page<Business>>
  /** What happened to a business, oldest first; undefined when there is none of this id. */
  history(query: BusinessHistoryQuery): Promise<HistoryPage<Business, BusinessEvent> | undefined>
}

/** The queries of the businesses in one database. */
export function createBusinessQueries({ events, view: viewOf }: Pick<Database, 'events' | 'view'>): BusinessQueries {
  const view = viewOf(businessesView)
  const past = { events, view }
  return {
    find: (id, asOf) => (asOf === undefined ? view.get(id) : readAsOf(past, id, asOf)),
    async findByClientId(clientId) {
      const { rows } = await view.list({ where: { clientId }, search: '', limit: 1, offset: 0, withoutTotal: true })
      return rows[0]
    },
    list: ({ updatedSince, ...query }) =>
      view.list({ ...query, where: {}, between: { updatedAt: { from: updatedSince } } }),
    history: (query) => readHistory(past, readBusinessEvent, query),
  }
}
