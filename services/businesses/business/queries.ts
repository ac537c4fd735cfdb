import { type HistoryQuery, readHistory } from '../../../shared/event-sourcing/history.ts'
import { readAsOf, stateAt } from '../../../shared/event-sourcing/past-states.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { ListQuery, Versioned } from '../../../shared/event-sourcing/ports/view.ts'
import { foldWhole } from '../../../shared/event-sourcing/search-folding.ts'
import type { Business } from './evolve.ts'
import { businessesView, readBusinessEvent } from './view.ts'

export interface BusinessListQuery extends Pick<ListQuery, 'search' | 'limit' | 'offset' | 'after' | 'withoutTotal'> {
  /** Milliseconds since the epoch, inclusive. */
  readonly updatedSince?: number | undefined
  /** Compared whole, folded; '': those without one. */
  readonly email?: string | undefined
  /** Compared whole, folded; '': those without one. */
  readonly taxId?: string | undefined
}

export type BusinessQueries = ReturnType<typeof createBusinessQueries>

/** Reads the businesses of one database; ids must be in lower case. Throws StoreUnavailable. */
export function createBusinessQueries({ events, view: viewOf }: Pick<Database, 'events' | 'view'>) {
  const view = viewOf(businessesView)
  const past = { events, view }
  return {
    /** The current state, or that at `asOf` (milliseconds since the epoch, inclusive); undefined if there was none. */
    find: (id: string, asOf?: number): Promise<Versioned<Business> | undefined> =>
      asOf === undefined ? view.get(id) : readAsOf(past, id, asOf),
    /** The state at a version; undefined if the business has not reached it, or does not exist. */
    async findVersion(id: string, version: number): Promise<Versioned<Business> | undefined> {
      const now = await view.get(id)
      if (now === undefined || now.version <= version) return now?.version === version ? now : undefined
      const state = await stateAt(past, id, version)
      return { state, version, at: state.updatedAt }
    },
    /** The business with this clientId. */
    async findByClientId(clientId: string): Promise<Versioned<Business> | undefined> {
      const { rows } = await view.list({ where: { clientId }, search: '', limit: 1, offset: 0, withoutTotal: true })
      return rows[0]
    },
    /** Newest first. Throws CursorNotFound. */
    list: ({ updatedSince, email, taxId, ...query }: BusinessListQuery) =>
      view.list({
        ...query,
        where: { email: email && foldWhole(email), taxId: taxId && foldWhole(taxId) },
        between: { updatedAt: { from: updatedSince } },
      }),
    /** The history of a business, oldest first; undefined if it does not exist. */
    history: (query: HistoryQuery) => readHistory(past, readBusinessEvent, query),
  }
}
