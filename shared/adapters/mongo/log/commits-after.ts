import { type Collection, Long } from 'mongodb'
import type { Position } from '../../../event-sourcing/event.ts'
import type { CommitDocument, LogDocument } from './commit-document.ts'

/** What of a commit the log's events are made of. */
export const LOG_FIELDS = ['stream', 'events', 'at'] as const satisfies readonly (keyof LogDocument)[]

export interface CommitsAfter<Field extends keyof CommitDocument> {
  readonly after: Position
  readonly limit: number
  readonly fields: readonly Field[]
}

export interface CommitsFound<Field extends keyof CommitDocument> {
  readonly commits: Pick<CommitDocument, Field | '_id'>[]
  /** Whether there were no more behind them. */
  readonly isLast: boolean
}

/**
 * These fields, and `_id`, of the commits that begin after a position, in order. By one command whose answer is decoded
 * at once: a cursor decodes document by document, which takes a quarter more of the processor's time. An answer ends at
 * 16 MB, with fewer commits than the limit then; the rest come after the last of them.
 */
export async function findCommitsAfter<Field extends keyof CommitDocument>(
  log: Collection<CommitDocument>,
  { after, limit, fields }: CommitsAfter<Field>,
): Promise<CommitsFound<Field>> {
  const { cursor } = await log.db.command({
    find: log.collectionName,
    filter: { _id: { $gt: after } },
    sort: { _id: 1 },
    limit,
    batchSize: limit,
    projection: Object.fromEntries(fields.map((field) => [field, 1])),
    readConcern: log.readConcern,
  })
  // Left open where an answer of 16 MB has no room for more.
  const isOpen = String(cursor.id) !== '0'
  if (isOpen) await closeCursor(log, cursor.id)
  return { commits: cursor.firstBatch, isLast: !isOpen && cursor.firstBatch.length < limit }
}

/** One that can't be closed is forgotten by the server after ten minutes. */
async function closeCursor(log: Collection<CommitDocument>, id: number | Long): Promise<void> {
  const cursors = [Long.fromString(String(id))]
  await log.db.command({ killCursors: log.collectionName, cursors }).catch(() => undefined)
}

/** The same without the question whether there are more: none are found only where there are none. */
export async function readCommitsAfter<Field extends keyof CommitDocument>(
  log: Collection<CommitDocument>,
  range: CommitsAfter<Field>,
): Promise<Pick<CommitDocument, Field | '_id'>[]> {
  return (await findCommitsAfter(log, range)).commits
}
