import type { AuthoredEvent, CommitMetadata, DomainEvent, Position, RecordedEvent, StreamName } from '../event.ts'
import type { LogScan, Scanned } from './log-scan.ts'
import type { ViewRow } from './view.ts'

/** Events that become durable together, on one stream. */
export interface Commit {
  readonly stream: StreamName
  /** The stream version that the events were decided on; 0: the stream must not exist. */
  readonly expectedVersion: number
  /** Other streams that the events were decided on; nothing is written unless each is still at this version. */
  readonly dependsOn?: readonly StreamVersion[] | undefined
  /** Unique in the log: a second commit with this id is never written. */
  readonly commitId: string
  /** At least one. */
  readonly events: readonly DomainEvent[]
  readonly metadata: CommitMetadata
  /** The view rows after these events; visible to every reader before `append` resolves. */
  readonly rows: readonly ViewRow[]
}

/** A stream at a version; 0: it does not exist. */
export interface StreamVersion {
  readonly stream: StreamName
  readonly version: number
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
  /** Durable, with its rows visible. */
  | { readonly type: 'appended'; readonly version: number; readonly position: Position }
  /** Nothing was written: the stream is at another version. */
  | { readonly type: 'wrong-version'; readonly currentVersion: number }
  /** Nothing was written: a stream that the commit depends on is at another version. */
  | { readonly type: 'dependency-changed' }
  /**
   * Nothing was written: the log already has this commitId, whatever the versions of the streams are now. The views are at
   * its version or later.
   */
  | { readonly type: 'already-appended'; readonly receipt: CommitReceipt }
  /** It may or may not have been written; the adapter could not find out. Never reported as a conflict. */
  | { readonly type: 'unknown'; readonly cause: unknown }

/** Which part of a stream to read; all of it by default. */
export interface StreamRange {
  /** Only events after this version. */
  readonly afterVersion?: number
  /** Only events up to and including this version. */
  readonly upToVersion?: number
}

/** A part of the log: after a position, up to and including another. */
export interface LogRange {
  readonly after: Position
  readonly upTo: Position
}

/**
 * An append-only log of events.
 *
 * Projections, relays and lags rely on two guarantees: positions number the log's events from 1 without gaps, and no
 * reader sees an event before all earlier ones are visible. So a plain checkpoint misses nothing.
 *
 * Every method throws StoreUnavailable when the engine is unavailable or its disk is full or read-only.
 */
export interface EventStore {
  /** Writes the whole commit or nothing. Throws StoreUnavailable only when nothing was written. */
  append(commit: Commit): Promise<AppendOutcome>
  /** Waits until every append that this process has requested so far has succeeded or failed. */
  settled(): Promise<void>
  /**
   * The stream's events in version order, in one array, so read streams of unbounded length in chunks; empty if there is
   * no such stream. The cost depends only on the number of events in the range.
   */
  readStream(stream: StreamName, range?: StreamRange): Promise<readonly RecordedEvent[]>
  /** The log's events after a position, in order, at most `limit`; empty at its head. */
  readAll(after: Position, limit: number): Promise<readonly AuthoredEvent[]>
  /** The events of some categories after a position. Reads at most MAX_SCANNED positions, however few it finds. */
  scan(scan: LogScan): Promise<Scanned>
  /** The commit with this id, or undefined when the log has none. */
  findCommit(commitId: string): Promise<CommitReceipt | undefined>
  /**
   * The versions of streams (0: it doesn't exist), in the given order, at a moment after the call: a majority has
   * confirmed that this process sees everything acknowledged before. Answers to writes need that, reads don't.
   */
  confirmedVersions(streams: readonly StreamName[]): Promise<readonly number[]>
  /** The position of the last event, BEGINNING when there is none. */
  head(): Promise<Position>
  /** How many events of some categories a part of the log has; the cost is proportional to its length. */
  countIn(categories: readonly string[], range: LogRange): Promise<number>
  /**
   * Calls `wake` after each append of this process. Other processes may append too, so followers must also poll. Returns
   * a function that unsubscribes.
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
