import type { CommitMetadata, DomainEvent, LogEvent, Position, StreamName } from '../event.ts'
import type { FoldBatch } from '../projector.ts'
import type { AnyViewDefinition, ViewDefinition, ViewRow } from './view.ts'

/** A commit with everything that a log stores about it. */
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

/** The position of the next commit. */
export function positionAfter({ position, events }: RecordedCommit): Position {
  return (position + events.length) as Position
}

/** A difference between what a view stores and what follows from its log. */
export interface ViewDifference {
  /** A row, or what the view stores for one of its versions: past states, ledger entries, or labels. */
  readonly of: 'row' | 'snapshots' | 'ledger' | 'labels'
  /** The row's id; undefined: the message is about the whole view. */
  readonly id?: string
  readonly version?: number
  /** Whether nothing is stored, although it follows from the log. */
  readonly isMissing?: boolean
  /** What was expected, and what is there. */
  readonly message: string
}

/** Views rebuilt from their log in a temporary file, to compare the stored ones with. */
export interface ViewCopy extends AsyncDisposable {
  /** Folds events into the copy; they must follow the previous ones. */
  apply(events: readonly LogEvent[]): Promise<void>
  /**
   * Pins the stored views: from now on they are read as of this moment, whatever is written. Returns their position, which
   * the copy can't have passed if all its events were in the log before the call.
   */
  pin(): Promise<Position>
  /** How a pinned view differs from its copy, which must be at the same position. */
  differences(definition: AnyViewDefinition): AsyncIterable<ViewDifference>
  /** A row of the copy. Only after `pin`, like the next two. */
  row<State>(definition: ViewDefinition<State>, id: string): ViewRow<State> | undefined
  /** All rows of the copy, in no order. */
  rows<State>(definition: ViewDefinition<State>): Iterable<ViewRow<State>>
  /** The last label with this era and number in the copy. */
  label(
    definition: AnyViewDefinition,
    id: string,
    of: { readonly era: number; readonly number: number },
  ): { readonly label: string; readonly since: number } | undefined
}

/** Reads everything that a database stores, to check or copy it, even during writes. Throws StoreUnavailable. */
export interface Inspection {
  /** The position of the last event, BEGINNING when there is none. */
  head(): Promise<Position>
  /** The log's commits whose first event comes after a position, in order, at most `limit`; empty at its head. */
  readCommits(after: Position, limit: number): Promise<readonly RecordedCommit[]>
  /** The ids of commits that the log has more than once, and how often. */
  repeatedCommits(): Promise<readonly (readonly [commitId: string, times: number])[]>
  /** What the engine itself finds broken in its files, such as an index that differs from its table; at most 100. */
  brokenFiles(): Promise<readonly string[]>
  /** The last number that a sequence has issued, 0 when there is none. */
  lastNumber(category: string): Promise<number>
  /** Creates empty copies of views, to be filled by `fold`. Throws an Error when there is no space for them. */
  copyViews(definitions: readonly AnyViewDefinition[], fold: FoldBatch): Promise<ViewCopy>
}
