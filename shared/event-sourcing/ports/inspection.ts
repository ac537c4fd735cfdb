import type { CommitMetadata, DomainEvent, LogEvent, Position, StreamName } from '../event.ts'
import type { FoldBatch } from '../projector.ts'
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

/** The position of the next commit. */
export function positionAfter({ position, events }: RecordedCommit): Position {
  return (position + events.length) as Position
}

/** Something that a view stores otherwise than its log says. */
export interface ViewDifference {
  /** A row, or what the view stores of one of its versions: past states, entries of its ledger, or labels. */
  readonly of: 'row' | 'snapshots' | 'ledger' | 'labels'
  /** Of the row; undefined: the message is about all of them. */
  readonly id?: string
  readonly version?: number
  /** Whether the log has it, but nothing is stored. */
  readonly isMissing?: boolean
  /** What was expected, and what is there. */
  readonly message: string
}

/** Views that are built anew from their log, in a temporary file, to compare the stored ones with them. */
export interface ViewCopy extends AsyncDisposable {
  /** Folds events into the copy; they must follow the previous ones. */
  apply(events: readonly LogEvent[]): Promise<void>
  /**
   * Reads the stored views as of this moment from now on, whatever is written. Returns the position up to which they
   * show the log, which the copy has not passed if everything in it was in the log before the call.
   */
  pin(): Promise<Position>
  /** How a pinned view differs from its copy, which must be at the same position. */
  differences(definition: AnyViewDefinition): AsyncIterable<ViewDifference>
  /** A row of a copy that was pinned. */
  row<State>(definition: ViewDefinition<State>, id: string): ViewRow<State> | undefined
  /** All rows of a copy that was pinned, in no order. */
  rows<State>(definition: ViewDefinition<State>): Iterable<ViewRow<State>>
  /** The last label of this number that a copy has, which was pinned. */
  label(
    definition: AnyViewDefinition,
    id: string,
    of: { readonly era: number; readonly number: number },
  ): { readonly label: string; readonly since: number } | undefined
}

/** Reads everything that a database stores, to check or copy it, while others write. Throws StoreUnavailable. */
export interface Inspection {
  /** The position of the last event, BEGINNING when there is none. */
  head(): Promise<Position>
  /** The log's commits whose first event comes after a position, in order, at most `limit`; empty at its head. */
  readCommits(after: Position, limit: number): Promise<readonly RecordedCommit[]>
  /** The ids of commits that the log has more than once, and how often. */
  repeatedCommits(): Promise<readonly (readonly [commitId: string, times: number])[]>
  /** The last number that a sequence has issued, 0 when there is none. */
  lastNumber(category: string): Promise<number>
  /** Creates an empty copy of views, to be filled by `fold`. Throws an Error when there is no room for it. */
  copyViews(definitions: readonly AnyViewDefinition[], fold: FoldBatch): Promise<ViewCopy>
}
