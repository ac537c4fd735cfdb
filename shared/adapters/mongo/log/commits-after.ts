import { type Collection, type Filter, Long } from 'mongodb'
import type { Position } from '../../../event-sourcing/event.ts'
import type { CommitDocument } from './commit-document.ts'

interface CommitsAfter<Field> {
  readonly after: Position
  /** Only those that begin at this position or before it. */
  readonly upTo?: Position
  /** Further conditions. */
  readonly where?: Filter<CommitDocument>
  readonly limit: number
  readonly fields: readonly Field[]
}

/**
 * Reads these fields, and `_id`, of the commits that begin after a position, in order. Uses one command whose reply is
 * decoded in one go: a cursor decodes document by document, which takes a quarter more CPU time. A reply is limited to
 * 16 MB, so it may have fewer commits than the limit; the rest follow after its last one.
 */
export async function findCommitsAfter<Field extends keyof CommitDocument>(
  log: Collection<CommitDocument>,
  { after, limit, fields, where = {}, upTo }: CommitsAfter<Field>,
) {
  const { cursor } = await log.db.command({
    find: log.collectionName,
    filter: { ...where, _id: { $gt: after, ...(upTo !== undefined && { $lte: upTo }) } },
    sort: { _id: 1 },
    hint: '_id_',
    limit,
    batchSize: limit,
    projection: Object.fromEntries(fields.map((field) => [field, 1])),
    readConcern: log.readConcern,
  })
  // Open if the reply reached 16 MB.
  const isOpen = String(cursor.id) !== '0'
  if (isOpen) await closeCursor(log, cursor.id)
  const commits: Pick<CommitDocument, Field | '_id'>[] = cursor.firstBatch
  // Whether these were the last ones.
  return { commits, isLast: !isOpen && commits.length < limit }
}

/** If this fails, the server closes the cursor after ten minutes. */
async function closeCursor(log: Collection<CommitDocument>, id: number | Long): Promise<void> {
  const cursors = [Long.fromString(String(id))]
  await log.db.command({ killCursors: log.collectionName, cursors }).catch(() => undefined)
}
