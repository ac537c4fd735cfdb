import type { CommitMetadata, DomainEvent, Position, StreamName } from '../event.ts'
import type { StoredVersion } from '../stored-versions.ts'
import type { AnyViewDefinition, ViewDefinition, ViewRow } from './view.ts'

/** A commit as stored in a log, with everything recorded about it. */
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

/** The position of the first event of every log. */
export const FIRST_POSITION = 1 as Position

/** The position of the next commit: a log that can be copied counts its events one by one. */
export function positionAfter({ position, events }: RecordedCommit): Position {
  return (position + events.length) as Position
}

/**
 * How a stored view row compares with the expected one: `newer` and `older` by version; `different` at the same
 * version, in the state or in anything stored beside it (time, sort key, filters, search texts).
 */
export type RowComparison = 'equal' | 'newer' | 'older' | 'different' | 'missing'

/** Some of what a view's ledger or labels store. */
export interface StoredVersionsPage {
  readonly versions: readonly StoredVersion[]
  /** What would make a report wrong, or fail, although each version is right: one sentence each. */
  readonly damage: readonly string[]
  /** Where the next page begins; undefined: this is the last one. */
  readonly next: string | undefined
}

/** Reads everything that a database stores, to check or copy it, while others write. Throws StoreUnavailable. */
export interface Inspection {
  /** The position of the last event, BEGINNING when there is none. */
  head(): Promise<Position>
  /** The log's commits whose first event comes after a position, in order, at most `limit`; empty at its head. */
  readCommits(after: Position, limit: number): Promise<readonly RecordedCommit[]>
  /** One result per row, in the same order. */
  compareRows<State>(
    definition: ViewDefinition<State>,
    rows: readonly ViewRow<State>[],
  ): Promise<readonly RowComparison[]>
  /** How many rows a view has, counted one by one. */
  countRows(definition: AnyViewDefinition): Promise<number>
  /** The ids of a view's rows after one of them (undefined: from the first), in an order chosen by the adapter. */
  rowIds(definition: AnyViewDefinition, after: string | undefined, limit: number): Promise<readonly string[]>
  /**
   * What a view's ledger or labels store, from where the previous page ended (undefined: from the beginning), in
   * any order.
   */
  storedVersions(definition: AnyViewDefinition, from: string | undefined): Promise<StoredVersionsPage>
  /** The last number that a sequence has issued, 0 when there is none. */
  lastNumber(category: string): Promise<number>
}
