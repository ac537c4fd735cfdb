import { type HistoryPage, readHistory } from '../../../shared/event-sourcing/history.ts'
import { readAsOf } from '../../../shared/event-sourcing/past-states.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { ListQuery, Page, Versioned } from '../../../shared/event-sourcing/ports/view.ts'
import type { ContractEvent } from './events.ts'
import type { Contract } from './evolve.ts'
import { contractsView, readContractEvent } from './view.ts'

export interface ContractListQuery extends Pick<ListQuery, 'search' | 'limit' | 'offset' | 'withoutTotal'> {
  readonly clientId?: string | undefined
  /** Only contracts after the one of this number in the list's order. */
  readonly after?: number | undefined
  /** Milliseconds since the epoch, included. */
  readonly updatedSince?: number | undefined
  /** `YYYY-MM-DD`, included. */
  readonly serviceDateFrom?: string | undefined
  /** `YYYY-MM-DD`, included. */
  readonly serviceDateTo?: string | undefined
}

export interface ContractHistoryQuery {
  readonly id: number
  readonly limit: number
  readonly offset: number
}

/** Reading contracts. Throws StoreUnavailable. */
export interface ContractQueries {
  /**
   * The contract of a number as it is, or as it stood at `asOf` (milliseconds since the epoch, included); undefined
   * when there was none.
   */
  find(id: number, asOf?: number): Promise<Versioned<Contract> | undefined>
  /** Contracts, newest first. Throws CursorNotFound. */
  list(query: ContractListQuery): Promise<Page<Contract>>
  /** What happened to a contract, oldest first; undefined when there is none of this number. */
  history(query: ContractHistoryQuery): Promise<HistoryPage<Contract, ContractEvent> | undefined>
}

/** The queries of the contracts in one database. */
export function createContractQueries({ events, view: viewOf }: Pick<Database, 'events' | 'view'>): ContractQueries {
  const view = viewOf(contractsView)
  const past = { events, view }
  return {
    find: (id, asOf) => (asOf === undefined ? view.get(String(id)) : readAsOf(past, String(id), asOf)),
    list: ({ clientId, after, updatedSince, serviceDateFrom, serviceDateTo, ...query }) =>
      view.list({
        ...query,
        where: { clientId },
        between: { updatedAt: { from: updatedSince }, serviceDate: { from: serviceDateFrom, to: serviceDateTo } },
        after: after?.toString(),
      }),
    history: ({ id, ...page }) => readHistory(past, readContractEvent, { id: String(id), ...page }),
  }
}
