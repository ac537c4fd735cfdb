import type { Position, RecordedEvent } from './event.ts'

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
 * tables, indexes and queries from it.
 */
export interface ViewDefinition<State> {
  /** Plural noun in snake_case, for example `contracts`. */
  readonly name: string
  /** Raised whenever rows would look different: an adapter that finds another number rebuilds the view. */
  readonly schema: number
  /** The category of the streams it shows. */
  readonly category: string
  /** How ids are ordered where two rows were created in the same millisecond. */
  readonly idOrder: 'numeric' | 'text'
  /** Creation time in milliseconds since the epoch: lists run by it, newest first, then by id, highest first. */
  createdAt(state: State): number
  /** What lists can be filtered by, exactly: name → value. */
  readonly filters: Readonly<Record<string, (state: State) => string>>
  /** The texts that search looks into, each by itself, not folded yet. */
  readonly searchTexts: readonly ((state: State) => string)[]
  /** Folds one event of the log (an old shape too) into the state; `undefined` before the first. */
  fold(state: State | undefined, event: RecordedEvent): State
}

/** A definition whose state is not known here: views of different states side by side. */
// biome-ignore lint/suspicious/noExplicitAny: the state is both taken and answered, so no other type fits all
export type AnyViewDefinition = ViewDefinition<any>

export interface ListQuery {
  /** Only rows whose filter of this name has this value; filters combine with AND. */
  readonly where: Readonly<Record<string, string | undefined>>
  /** Text to find in any of the search texts, as the caller gave it (the adapter folds it); '' finds all. */
  readonly search: string
  readonly limit: number
  readonly offset: number
}

export interface Page<State> {
  readonly rows: readonly ViewRow<State>[]
  /** How many rows match, whatever limit and offset. */
  readonly total: number
}

/** Reading and maintaining one view. Throws StoreUnavailable like the event store. */
export interface View<State> {
  readonly definition: ViewDefinition<State>
  get(id: string): Promise<ViewRow<State> | undefined>
  /** Newest first: by creation time, then id. */
  list(query: ListQuery): Promise<Page<State>>
  /** The position up to which every event is in the view. */
  checkpoint(): Promise<Position>
  /**
   * Builds the view anew from the log, readable and written to all the while, and swaps it in when it is complete.
   * `onProgress` is told the position reached.
   */
  rebuild(onProgress?: (reached: Position) => void): Promise<void>
}
