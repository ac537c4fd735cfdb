import type { CommitMetadata, DomainEvent, Position, StreamName } from '../event.ts'
import type { AnyViewDefinition, ViewDefinition, ViewRow } from './view.ts'

/** A commit as it stands in a log, with everything that is kept of it. */
export interface RecordedCommit {
  /** Of its first event. */
  readonly position: Position
  readonly stream: StreamName
  /** Of its first event. */
  readonly version: number
  readonly commitId: string
  readonly events: readonly DomainEvent[]
  readonly metadata: CommitMetadata
}

/** Where the first event of every log stands. */
export const FIRST_POSITION = 1 as Position

/** Where the commit after this one stands: a log that can be copied counts its events one by one. */
export function positionAfter({ position, events }: RecordedCommit): Position {
  return (position + events.length) as Position
}

/**
 * How a view's row is kept, beside how it should be: `newer` and `older` by version; `different` at the same version,
 * in the state or in anything else that is kept of it (its time, its place in lists, what it is found by).
 */
export type RowComparison = 'equal' | 'newer' | 'older' | 'different' | 'missing'

/** Reading everything that a database keeps, to check or to copy it, while others write. Throws StoreUnavailable. */
export interface Inspection {
  /** The position of the last event, BEGINNING when there is none. */
  head(): Promise<Position>
  /** The log's commits whose first event comes after a position, in order, at the most `limit`; empty at its head. */
  readCommits(after: Position, limit: number): Promise<readonly RecordedCommit[]>
  /** One answer for each row, in their order. */
  compareRows<State>(
    definition: ViewDefinition<State>,
    rows: readonly ViewRow<State>[],
  ): Promise<readonly RowComparison[]>
  /** How many rows a view keeps, counted one by one. */
  countRows(definition: AnyViewDefinition): Promise<number>
  /** The ids of a view's rows after one of them (undefined: from the first), in an order of the adapter's own. */
  rowIds(definition: AnyViewDefinition, after: string | undefined, limit: number): Promise<readonly string[]>
  /** The last number that a sequence has handed out, 0 when it never did. */
  lastNumber(category: string): Promise<number>
}
