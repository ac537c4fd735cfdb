import { type HistoryQuery, readHistory } from '../../../shared/event-sourcing/history.ts'
import { readAsOf } from '../../../shared/event-sourcing/past-states.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { ListQuery, Versioned } from '../../../shared/event-sourcing/ports/view.ts'
import { foldWhole } from '../../../shared/event-sourcing/search-folding.ts'
import type { Contract } from './evolve.ts'
import { contractsView, readContractEvent } from './view.ts'

export interface ContractListQuery extends Pick<ListQuery, 'search' | 'limit' | 'offset' | 'withoutTotal'> {
  readonly clientId?: string | undefined
  /** A search in the display names of Clients: only contracts of those that it finds. */
  readonly clientName?: string | undefined
  /** Compared whole, folded. */
  readonly serviceType?: string | undefined
  /** Only contracts after the one with this number in the list's order. */
  readonly after?: number | undefined
  /** Milliseconds since the epoch, inclusive. */
  readonly updatedSince?: number | undefined
  /** `YYYY-MM-DD`, inclusive. */
  readonly serviceDateFrom?: string | undefined
  /** `YYYY-MM-DD`, inclusive. */
  readonly serviceDateTo?: string | undefined
}

export type ContractQueries = ReturnType<typeof createContractQueries>

/** Reads the contracts of one database. Throws StoreUnavailable. */
export function createContractQueries({ events, view: viewOf }: Pick<Database, 'events' | 'view'>) {
  const view = viewOf(contractsView)
  const past = { events, view }
  return {
    /** The current state, or that at `asOf` (milliseconds since the epoch, inclusive); undefined if there was none. */
    find: (id: number, asOf?: number): Promise<Versioned<Contract> | undefined> =>
      asOf === undefined ? view.get(String(id)) : readAsOf(past, String(id), asOf),
    /** Newest first. Throws CursorNotFound. */
    list: ({ search, limit, offset, withoutTotal, ...filters }: ContractListQuery) => {
      const { clientId, serviceType, clientName, updatedSince, serviceDateFrom, serviceDateTo, after } = filters
      return view.list({
        where: { clientId, serviceType: serviceType && foldWhole(serviceType) },
        related: clientName === undefined ? undefined : { filter: 'clientId', search: clientName },
        between: { updatedAt: { from: updatedSince }, serviceDate: { from: serviceDateFrom, to: serviceDateTo } },
        search,
        limit,
        offset,
        after: after?.toString(),
        withoutTotal,
      })
    },
    /** The history of a contract, oldest first; undefined if it does not exist. */
    history: ({ id, ...page }: Omit<HistoryQuery, 'id'> & { readonly id: number }) =>
      readHistory(past, readContractEvent, { id: String(id), ...page }),
  }
}
