import type { CommitMetadata, DomainEvent, LogEvent, Position, RecordedEvent, StreamName } from '../event.ts'
import type { ViewRow } from './view.ts'

/** Events that become durable together, on one stream. */
export interface Commit {
  readonly stream: StreamName
  /** The stream's version that the events were decided upon; 0: the stream must not exist. */
  readonly expectedVersion: number
  /** Unique in the log: a second commit of the same id is never written. */
  readonly commitId: string
  /** At least one. */
  readonly events: readonly DomainEvent[]
  readonly metadata: CommitMetadata
  /** The rows of the views as they are after these events; visible to every reader before `append` answers. */
  readonly rows: readonly ViewRow[]
}

/** A commit that is in the log. */
export interface CommitReceipt {
  readonly commitId: string
  readonly stream: StreamName
  /** The stream's version after the commit's last event. */
  readonly version: number
  readonly requestHash?: string
}

export type AppendOutcome =
  /** Durable, and its rows visible. */
  | { readonly type: 'appended'; readonly version: number; readonly position: Position }
  /** Nothing was written: the stream stands at another version. */
  | { readonly type: 'wrong-version'; readonly currentVersion: number }
  /** Nothing was written: the log has this commitId already; the views hold at least its version. */
  | { readonly type: 'already-appended'; readonly receipt: CommitReceipt }
  /** It may have been written or not, and the adapter could not find out. Never reported as a conflict. */
  | { readonly type: 'unknown'; readonly cause: unknown }

/** Which part of a stream to read; all of it when nothing is given. */
export interface StreamRange {
  /** Only events after this version. */
  readonly afterVersion?: number
  /** Only events up to this version, included. */
  readonly upToVersion?: number
}

/**
 * An append-only log of events.
 *
 * Guarantees that projections and relays rely on: positions are gapless in the adapter's own counting, and a reader
 * never sees an event before the one in front of it is visible, so a plain checkpoint misses nothing.
 *
 * Every method throws StoreUnavailable when the engine is away or its disk is full or read-only.
 */
export interface EventStore {
  /** Writes all of the commit or nothing. Throws StoreUnavailable only when nothing was written. */
  append(commit: Commit): Promise<AppendOutcome>
  /**
   * The stream's events in order of version; empty when there is no such stream. All of them at once: who reads a stream
   * of any length reads it in chunks. It costs what the range holds, wherever in the stream that lies.
   */
  readStream(stream: StreamName, range?: StreamRange): Promise<readonly RecordedEvent[]>
  /** The log's events after a position, in order, at the most `limit`; empty at its head. */
  readAll(after: Position, limit: number): Promise<readonly LogEvent[]>
  /** The commit of this id, or undefined when the log has none. */
  findCommit(commitId: string): Promise<CommitReceipt | undefined>
  /** The position of the last event, BEGINNING when there is none. */
  head(): Promise<Position>
  /** How many events come after a position: how far a follower that stands there is behind. */
  countAfter(position: Position): Promise<number>
  /** How many events a category has; costs what it counts. */
  countIn(category: string): Promise<number>
  /**
   * Calls `wake` after this process has appended. Others may append as well, so a follower also reads from time to time.
   * Returns the function that ends it.
   */
  onAppended(wake: () => void): () => void
}

/** The engine can't be used now, and nothing was written. */
export class StoreUnavailable extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'StoreUnavailable'
  }
}
