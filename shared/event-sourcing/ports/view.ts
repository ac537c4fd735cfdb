import type { LogEvent, Position } from '../event.ts'
import type { LabelDefinition, Ledger, LedgerDefinition } from './ledger.ts'

/** An aggregate's folded state, with the version and time of the last event in it. */
export interface Versioned<State> {
  readonly state: State
  readonly version: number
  /** Time of the last event, in milliseconds since the epoch. */
  readonly at: number
}

/** One aggregate in one view, as passed to an adapter. */
export interface ViewRow<State = unknown> extends Versioned<State> {
  /** Name of the view. */
  readonly view: string
  /** The aggregate's id, as in its stream's name. */
  readonly id: string
}

/**
 * A view: one row for each aggregate of a category, holding its folded state. Every adapter derives tables, indexes and
 * queries from this one definition, and rebuilds the view when it changes, `fold` included.
 */
export interface ViewDefinition<State> {
  /** Plural noun in snake_case, for example `contracts`. */
  readonly name: string
  /** The category of the streams it shows. */
  readonly category: string
  /** How ids of rows created in the same millisecond are ordered. */
  readonly idOrder: 'numeric' | 'text'
  /** The state at version 0 of an aggregate that exists before its first event. */
  readonly initial?: State
  /** Creation time in milliseconds since the epoch. Lists are sorted by it, newest first, then by id, highest first. */
  createdAt(state: State): number
  /** Exact-match filters of lists: name → value. */
  readonly filters: Readonly<Record<string, (state: State) => string>>
  /** Filters whose values are ids of another view's rows: name of the filter → that view, of the same database. */
  readonly relations?: Readonly<Record<string, AnyViewDefinition>>
  /** Range filters of lists: name → value, always of the same type. */
  readonly ranges?: Readonly<Record<string, (state: State) => RangeValue>>
  /**
   * All members of every state, so that their names needn't be stored with each row. Other members, which an event of a
   * newer Mint may add, are not stored.
   */
  readonly fields?: Readonly<Record<keyof State & string, unknown>>
  /** The texts that search covers, before folding. */
  readonly searchTexts: readonly ((state: State) => string)[]
  /** What is stored for every version, not only the last one. */
  readonly versions?: LedgerDefinition<State> | LabelDefinition<State>
  /** Folds one event of the log, including old types, into the state; `undefined` before the first. */
  fold(state: State | undefined, event: LogEvent): State
}

/** A definition of any state type, for views of different types side by side. */
// biome-ignore lint/suspicious/noExplicitAny: State is both a parameter and a result, so no other type fits all
export type AnyViewDefinition = ViewDefinition<any>

/** Numbers are ordered by value, texts by code points. */
export type RangeValue = number | string

/** A range, both ends inclusive; an undefined end is open. */
export interface Bounds {
  readonly from?: RangeValue | undefined
  readonly to?: RangeValue | undefined
}

/** A search in a related view. */
export interface RelatedSearch {
  /** The filter whose values are ids of that view's rows. */
  readonly filter: string
  /** As in ListQuery, in that view's search texts. */
  readonly search: string
}

/** All conditions are combined with AND. */
export interface ListQuery {
  /** Only rows whose filter of this name has this value. */
  readonly where: Readonly<Record<string, string | undefined>>
  /** Only rows whose value for this range is within these bounds. */
  readonly between?: Readonly<Record<string, Bounds | undefined>>
  /** Only rows related to a row that this search finds; without words, all. */
  readonly related?: RelatedSearch | undefined
  /**
   * Words as the caller gave them (the adapter folds them, see searchWords): only rows with each word anywhere in one of
   * their search texts; without words, all.
   */
  readonly search: string
  readonly limit: number
  readonly offset: number
  /**
   * A cursor instead of an offset (which must be 0): only rows after the one with this id in the list's order, whether or
   * not that one matches. It doesn't affect the total.
   */
  readonly after?: string | undefined
  /** Skips the count, which can take longer than the page; total is then 0. */
  readonly withoutTotal?: boolean | undefined
}

export interface Page<State> {
  readonly rows: readonly ViewRow<State>[]
  /** How many rows match, regardless of limit, offset and after. */
  readonly total: number
}

/** The view has no row with the id given as a list's cursor. */
export class CursorNotFound extends Error {
  constructor(id: string) {
    super(`the view has no row ${id} to continue after`)
    this.name = 'CursorNotFound'
  }
}

/** The most rows of a related view that a search may find. */
export const MAX_RELATED = 10_000

/** A search in a related view finds more than MAX_RELATED rows. */
export class TooManyRelated extends Error {
  constructor() {
    super(`the search in a related view finds more than ${MAX_RELATED} rows`)
    this.name = 'TooManyRelated'
  }
}

/** A point in an aggregate's past: a version, or a time in milliseconds since the epoch, both inclusive. */
export type PastMoment = { readonly version: number } | { readonly at: number }

/** Reads and maintains one view. Throws StoreUnavailable like the event store. */
export interface View<State> {
  readonly definition: ViewDefinition<State>
  get(id: string): Promise<ViewRow<State> | undefined>
  /**
   * The aggregate's last snapshot at or before a past moment; undefined if the view has none. It is at most a few more
   * than SNAPSHOT_INTERVAL events older than that moment, unless the database is from an earlier Mint or a snapshot was
   * lost: the result is then an earlier snapshot, or none.
   */
  snapshot(id: string, upTo: PastMoment): Promise<Versioned<State> | undefined>
  /** Newest first: by creation time, then id. Throws CursorNotFound and TooManyRelated. */
  list(query: ListQuery): Promise<Page<State>>
  readonly ledger: Ledger
  /** The position up to which every event is in the view. */
  checkpoint(): Promise<Position>
  /**
   * Rebuilds the view from the log and swaps in the new one when it is complete; the view stays readable and writable
   * meanwhile. `onProgress` is called with each position reached. The checkpoint may advance some seconds later.
   */
  rebuild(onProgress?: (reached: Position) => void): Promise<void>
}
