import type { DomainEvent } from '../event-sourcing/event.ts'
import { type HistoryPage, type HistoryQuery, readHistory } from '../event-sourcing/history.ts'
import { readAsOf } from '../event-sourcing/past-states.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import type { ListQuery, Page, Versioned } from '../event-sourcing/ports/view.ts'
import type { Concept } from './concept.ts'
import type { FiltersOf, IdOf } from './messages.ts'
import type { One } from './registry.ts'

type Paged = Pick<ListQuery, 'search' | 'limit' | 'offset' | 'withoutTotal'>

/** Which records to list. */
export type RecordListQuery<Name extends One> = FiltersOf<Name> &
  Paged & {
    /** Only records after the one with this id in the list's order. */
    readonly after?: IdOf<Name> | undefined
    /** Milliseconds since the epoch, inclusive. */
    readonly updatedSince?: number | undefined
  }

/** Reads the records of one kind; ids must be in lower case. Throws StoreUnavailable. */
export interface RecordQueries<Name extends One, State, Event extends DomainEvent> {
  /** The current state, or that at `asOf` (milliseconds since the epoch, inclusive); undefined if there was none. */
  find(id: IdOf<Name>, asOf?: number): Promise<Versioned<State> | undefined>
  /** Newest first. Throws CursorNotFound. */
  list(query: RecordListQuery<Name>): Promise<Page<State>>
  /** The history of a record, oldest first; undefined if it does not exist. */
  history(query: Omit<HistoryQuery, 'id'> & { readonly id: IdOf<Name> }): Promise<HistoryPage<State, Event> | undefined>
}

/** Reads the records of a kind from one database. */
export function createRecordQueries<
  Name extends One,
  State,
  Event extends DomainEvent,
  Rejection extends { readonly type: string },
>(
  { view: definition, read, listed }: Concept<Name, State, Event, Rejection>,
  { events, view: viewOf }: Pick<Database, 'events' | 'view'>,
): RecordQueries<Name, State, Event> {
  const view = viewOf<State>(definition)
  const past = { events, view }
  return {
    find: (id, asOf) => (asOf === undefined ? view.get(String(id)) : readAsOf(past, String(id), asOf)),
    list({ search, limit, offset, withoutTotal, after, updatedSince, ...filters }) {
      const { between, ...rows } = listed(filters as unknown as FiltersOf<Name>)
      return view.list({
        ...rows,
        between: { updatedAt: { from: updatedSince }, ...between },
        search,
        limit,
        offset,
        after: after?.toString(),
        withoutTotal,
      })
    },
    history: ({ id, ...page }) => readHistory(past, read, { id: String(id), ...page }),
  }
}
