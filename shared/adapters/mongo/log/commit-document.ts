import type { Collection, Db, Document, ObjectId } from 'mongodb'
import type { AuthoredEvent, Position, RecordedEvent, StreamName } from '../../../event-sourcing/event.ts'
import type { Commit, CommitReceipt } from '../../../event-sourcing/ports/event-store.ts'
import { BY_MAJORITY, MAJORITY_COLLECTION } from '../connection/majority.ts'

/** One commit as stored in the collection `log`; the next one's `_id` is `_id + events.length`. */
export interface CommitDocument {
  /** Position of its first event. */
  readonly _id: number
  readonly commitId: string
  /** `category/id`. */
  readonly stream: string
  readonly events: readonly { readonly version: number; readonly type: string; readonly data: object }[]
  readonly at: number
  readonly by: string
  readonly requestId: string
  readonly requestHash?: string
  readonly traceparent?: string
  /** Unique to each call of append: distinguishes a commit written by this call from an equal one of another call. */
  readonly attempt: ObjectId
}

export type UnplacedCommit = Omit<CommitDocument, '_id'>

/** The index that prevents a version from being written twice; stream reads use it too. */
export const STREAM_INDEX = 'stream_version'

/** The log, read and written by majority. */
export function logOf(db: Db): Collection<CommitDocument> {
  return db.collection<CommitDocument>('log', MAJORITY_COLLECTION)
}

/**
 * Inserts commits in order until one is refused, and waits for a majority, at most `wtimeout` milliseconds if given.
 * Returns how many were inserted, and why the next one was refused.
 */
export async function insertCommits(
  db: Db,
  documents: readonly CommitDocument[],
  limit?: { readonly wtimeout: number },
) {
  const insert = { insert: 'log', documents, ordered: true, writeConcern: { ...BY_MAJORITY, ...limit } }
  // A raw command doesn't inherit the connection's option: undefined fields would be stored as null.
  const { n, writeErrors } = await db.command(insert, { ignoreUndefined: true })
  return { n: n as number, refusal: writeErrors?.[0] as Refusal | undefined }
}

/** Why the server refused a document. */
export interface Refusal {
  readonly code: number
  readonly errmsg: string
  readonly keyPattern?: Document
}

/** Creates missing indexes of the log. The order matters: a duplicate is reported by the first index. */
export async function createLogIndexes(db: Db): Promise<void> {
  await logOf(db).createIndex({ commitId: 1 }, { name: 'commit_id', unique: true })
  await logOf(db).createIndex({ stream: 1, 'events.version': 1 }, { name: STREAM_INDEX, unique: true })
}

/** A stream's name as stored: `category/id`. */
export function streamKey({ category, id }: StreamName): string {
  return `${category}/${id}`
}

/** Matches all streams of a category: `0` is the character after `/`. */
export const streamsOf = (category: string) => ({ $gte: `${category}/`, $lt: `${category}0` })

/** The stream of such a name; an id may contain slashes, a category can't. */
export function streamOf(key: string): StreamName {
  const slash = key.indexOf('/')
  return { category: key.slice(0, slash), id: key.slice(slash + 1) }
}

/** The commit as stored, without its position in the log. */
export function toDocument(commit: Omit<Commit, 'rows'>, attempt: ObjectId): UnplacedCommit {
  const { commitId, stream, expectedVersion, events, metadata } = commit
  return {
    commitId,
    stream: streamKey(stream),
    events: events.map(({ type, data }, index) => ({ version: expectedVersion + 1 + index, type, data })),
    ...metadata,
    attempt,
  }
}

/** The fields of a commit, and `_id`, that log events are built from. */
export const LOG_FIELDS = ['stream', 'events', 'at', 'by', 'traceparent'] as const
type LogDocument = Pick<CommitDocument, '_id' | (typeof LOG_FIELDS)[number]>

/** The events of a commit, each with its own position and version. */
export function toLogEvents({ _id, stream: key, events, at, by, traceparent }: LogDocument): AuthoredEvent[] {
  const stream = streamOf(key)
  return events.map(({ version, type, data }, index) => {
    const event = { position: (_id + index) as Position, stream, version, type, data, at, by }
    return traceparent === undefined ? event : { ...event, traceparent }
  })
}

/** The events of a commit, with request id and commit id. */
export function toRecordedEvents(
  document: LogDocument & Pick<CommitDocument, 'requestId' | 'commitId'>,
): RecordedEvent[] {
  const { requestId, commitId } = document
  return toLogEvents(document).map((event) => ({ ...event, requestId, commitId }))
}

/** The stream's version after the commit. */
export function versionAfter(document: Pick<CommitDocument, 'events'>): number {
  return document.events.at(-1)?.version ?? 0
}

/** Position of the commit's last event. */
export function lastPosition(document: Pick<CommitDocument, '_id' | 'events'>): Position {
  return (document._id + document.events.length - 1) as Position
}

/** The receipt of a commit that is in the log. */
export function toReceipt(document: CommitDocument): CommitReceipt {
  const { commitId, stream, requestHash } = document
  const receipt = { commitId, stream: streamOf(stream), version: versionAfter(document) }
  return requestHash === undefined ? receipt : { ...receipt, requestHash }
}
