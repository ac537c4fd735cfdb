import type { LogEvent, Position } from '../event.ts'

/** An aggregate's folded state with the version and time of the last event in it. */
export interface Versioned<State> {
  readonly state: State
  readonly version: number
  /** Time of the last event, in milliseconds since the epoch. */
  readonly at: number
}

/** One aggregate in one view, as handed to an adapter. */
export interface ViewRow<State = unknown> extends Versioned<State> {
  /** Name of the view. */
  readonly view: string
  /** The aggregate's id: the id in its stream's name. */
  readonly id: string
}

/**
 * A view: one row for each aggregate of a category, holding its folded state. Declared once; every adapter derives
 * tables, indexes and queries from it, and builds the view anew once the definition, `fold` included, is another one.
 */
export interface ViewDefinition<State> {
  /** Plural noun in snake_case, for example `contracts`. */
  readonly name: string
  /** The category of the streams it shows. */
  readonly category: string
  /** How ids are ordered where two rows were created in the same millisecond. */
  readonly idOrder: 'numeric' | 'text'
  /** Creation time in milliseconds since the epoch: lists run by it, newest first, then by id, highest first. */
  createdAt(state: State): number
  /** What lists can be filtered by, exactly: name → value. */
  readonly filters: Readonly<Record<string, (state: State) => string>>
  /** What lists can be bounded by, from one value to another: name → value, always of the same kind. */
  readonly ranges?: Readonly<Record<string, (state: State) => RangeValue>>
  /** The texts that search looks into, each by itself, not folded yet. */
  readonly searchTexts: readonly ((state: State) => string)[]
  /** Folds one event of the log (an old shape too) into the state; `undefined` before the first. */
  fold(state: State | undefined, event: LogEvent): State
}

/** A definition whose state is not known here: views of different states side by side. */
// biome-ignore lint/suspicious/noExplicitAny: the state is both taken and answered, so no other type fits all
export type AnyViewDefinition = ViewDefinition<any>

/** Numbers are ordered by value, texts by their characters' code points. */
export type RangeValue = number | string

/** From one value to another, both included; a side that is undefined is open. */
export interface Bounds {
  readonly from?: RangeValue | undefined
  readonly to?: RangeValue | undefined
}

/** Everything that says which rows match combines with AND. */
export interface ListQuery {
  /** Only rows whose filter of this name has this value. */
  readonly where: Readonly<Record<string, string | undefined>>
  /** Only rows whose range of this name has a value within these bounds. */
  readonly between?: Readonly<Record<string, Bounds | undefined>>
  /** Text to find in any of the search texts, as the caller gave it (the adapter folds it); '' finds all. */
  readonly search: string
  readonly limit: number
  readonly offset: number
  /**
   * Instead of an offset, which must be 0 then: only rows after the one of this id in the list's order, whether that
   * one matches or not. It bounds the page, not the total.
   */
  readonly after?: string | undefined
  /** Spares the counting, which can take longer than the page: total is then 0. */
  readonly withoutTotal?: boolean | undefined
}

export interface Page<State> {
  readonly rows: readonly ViewRow<State>[]
  /** How many rows match, whatever limit, offset and after. */
  readonly total: number
}

/** The view has no row of the id that a list should go on after. */
export class CursorNotFound extends Error {
  constructor(id: string) {
    super(`the view has no row ${id} to go on after`)
    this.name = 'CursorNotFound'
  }
}

/** In an aggregate's past: a version, or a time in milliseconds since the epoch; both included. */
export type PastMoment = { readonly version: number } | { readonly at: number }

/** Reading and maintaining one view. Throws StoreUnavailable like the event store. */
export interface View<State> {
  readonly definition: ViewDefinition<State>
  get(id: string): Promise<ViewRow<State> | undefined>
  /**
   * The last snapshot of an aggregate that is not behind a moment of its past; undefined when the view has none. At most
   * a few more than SNAPSHOT_INTERVAL events come between the two, unless the database is of an earlier Mint or a
   * snapshot was lost: then an earlier one is answered, or none.
   */
  snapshot(id: string, upTo: PastMoment): Promise<Versioned<State> | undefined>
  /** Newest first: by creation time, then id. Throws CursorNotFound. */
  list(query: ListQuery): Promise<Page<State>>
  /** The position up to which every event is in the view. */
  checkpoint(): Promise<Position>
  /**
   * Builds the view anew from the log, readable and written to all the while, and swaps it in when it is complete.
   * `onProgress` is told the position reached. The checkpoint may follow some seconds after it.
   */
  rebuild(onProgress?: (reached: Position) => void): Promise<void>
}
