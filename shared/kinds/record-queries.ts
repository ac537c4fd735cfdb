import { type CreationLookup, findEarlierCreation } from '../event-sourcing/earlier-commit.ts'
import { type HistoryQuery, readHistory } from '../event-sourcing/history.ts'
import { readAsOf, stateAt } from '../event-sourcing/past-states.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import type { ListQuery, Versioned } from '../event-sourcing/ports/view.ts'
import type { AnyConcept } from './concept.ts'
import type { FiltersOf, IdOf } from './messages.ts'
import type { One } from './registry.ts'

/** Which records to list. */
export type RecordListQuery<Name extends One> = FiltersOf<Name> &
  Pick<ListQuery, 'search' | 'limit' | 'offset' | 'withoutTotal'> & {
    /** Only records after the one with this id in the list's order. */
    readonly after?: IdOf<Name> | undefined
    /** Milliseconds since the epoch, inclusive. */
    readonly updatedSince?: number | undefined
  }

/** A record as it is or was. */
export type Found = Pick<Versioned<object>, 'state' | 'version'>

/** A moment in a record's past; without any, now. */
interface Moment {
  readonly version?: number | undefined
  /** Milliseconds since the epoch, inclusive. */
  readonly asOf?: number | undefined
}

export type RecordQueries<Name extends One> = ReturnType<typeof createRecordQueries<Name>>

/** Reads the records of a kind from one database; ids must be in lower case. Throws StoreUnavailable. */
export function createRecordQueries<Name extends One>(
  { view: definition, listed }: AnyConcept<Name>,
  { events, view: viewOf }: Database,
) {
  const view = viewOf<object>(definition)
  const past = { events, view }

  async function atVersion(id: string, version: number): Promise<Found | undefined> {
    const now = await view.get(id)
    if (now === undefined || now.version <= version) return now?.version === version ? now : undefined
    return { state: await stateAt(past, id, version), version }
  }

  return {
    /** undefined if there is, or was, none, or if it has not reached that version. */
    async find(id: string, { version, asOf }: Moment): Promise<Found | undefined> {
      if (version !== undefined) return await atVersion(id, version)
      return await (asOf === undefined ? view.get(id) : readAsOf(past, id, asOf))
    },
    /** Newest first. Throws CursorNotFound. */
    list({ search, limit, offset, withoutTotal, after, updatedSince, ...filters }: RecordListQuery<Name>) {
      const { between, ...rows } = listed(filters as unknown as FiltersOf<Name>)
      const page = { search, limit, offset, after: after?.toString(), withoutTotal }
      return view.list({ ...rows, between: { updatedAt: { from: updatedSince }, ...between }, ...page })
    },
    /** The history of a record, oldest first; undefined if it does not exist. */
    history: (query: HistoryQuery) => readHistory(past, definition.fold.read, query),
    /** What an earlier request means for a creation. */
    findEarlier: (creation: CreationLookup) => findEarlierCreation(past, creation),
  }
}
