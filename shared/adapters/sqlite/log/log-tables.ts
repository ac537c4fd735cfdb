import type { Position } from '../../../event-sourcing/event.ts'

/** The columns of `events` that a log event is built from. */
export const AUTHORED_EVENT = 'position, category, stream_id, version, type, data, at, by, traceparent'
export type AuthoredEventColumns = readonly [
  ...[Position, string, string, number, string, string, number, string],
  string | null,
]
/** All columns: AUTHORED_EVENT, and what is recorded of its commit. */
export const STORED_EVENT = `${AUTHORED_EVENT}, request_id, commit_id, commit_index, commit_size, request_hash`
export type StoredEventColumns = readonly [...AuthoredEventColumns, string, string, number, number, string | null]

/** Format 1: the log, and what is stored beside it. */
export const CREATE_LOG_TABLES = `
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    category TEXT NOT NULL,
    stream_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    at INTEGER NOT NULL,
    by TEXT NOT NULL,
    request_id TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    commit_index INTEGER NOT NULL,
    commit_size INTEGER NOT NULL,
    request_hash TEXT
  ) STRICT;
  CREATE UNIQUE INDEX events_by_stream ON events (category, stream_id, version);
  CREATE UNIQUE INDEX events_by_commit ON events (commit_id) WHERE commit_index = 0;

  CREATE TABLE sequences (category TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT;

  CREATE TABLE checkpoints (
    name TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    holder TEXT,
    expires_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE dead_letters (
    number INTEGER PRIMARY KEY,
    message_id TEXT NOT NULL UNIQUE,
    letter TEXT NOT NULL
  ) STRICT;

  -- Written only to overwrite what a failed commit may have left in the write-ahead log.
  CREATE TABLE overwrites (id INTEGER PRIMARY KEY CHECK (id = 1), times INTEGER NOT NULL) STRICT;
  INSERT INTO overwrites VALUES (1, 0);`

/** Format 2: times stored beside the log. */
export const CREATE_LATEST_TIMES =
  'CREATE TABLE latest_times (kind TEXT, id TEXT, at INTEGER NOT NULL, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID'

/** Format 8: documents stored beside the log. */
export const CREATE_DOCUMENTS =
  'CREATE TABLE documents (kind TEXT, key TEXT, text TEXT NOT NULL, PRIMARY KEY (kind, key)) STRICT, WITHOUT ROWID'

/** Format 9: the span in which an event was appended. */
export const ADD_TRACEPARENT = 'ALTER TABLE events ADD COLUMN traceparent TEXT'
