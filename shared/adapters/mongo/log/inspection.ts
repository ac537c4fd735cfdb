import { isDeepStrictEqual } from 'node:util'
import type { Collection, Db } from 'mongodb'
import type { Position } from '../../../event-sourcing/event.ts'
import type { Inspection, RecordedCommit, RowComparison } from '../../../event-sourcing/inspection.ts'
import type { AnyViewDefinition, ViewRow } from '../../../event-sourcing/view.ts'
import { orUnavailable } from '../availability.ts'
import { sequencesOf } from '../sequence.ts'
import { type RowDocument, rowsOf, toRowDocument } from '../views/view-row.ts'
import { type CommitDocument, streamOf } from './commit-document.ts'
import type { LogReader } from './log-reader.ts'

/** Reads what is stored: the log as a majority holds it, rows as the primary has them. */
export function createInspection(db: Db, log: Collection<CommitDocument>, reader: LogReader): Inspection {
  async function readCommits(after: Position, limit: number): Promise<RecordedCommit[]> {
    const documents = await log
      .find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit, batchSize: limit + 1 })
      .toArray()
    return documents.map(toCommit)
  }

  async function compareRows(definition: AnyViewDefinition, rows: readonly ViewRow[]): Promise<RowComparison[]> {
    const ids = rows.map(({ id }) => id)
    const documents = await rowsOf(db, definition)
      .find({ _id: { $in: ids } }, { batchSize: ids.length + 1 })
      .toArray()
    const stored = new Map(documents.map((document) => [document._id, document]))
    return rows.map((row) => compareRow(stored.get(row.id), toRowDocument(definition, row)))
  }

  async function rowIds(definition: AnyViewDefinition, after: string | undefined, limit: number): Promise<string[]> {
    const documents = await rowsOf(db, definition)
      .find(after === undefined ? {} : { _id: { $gt: after } }, { sort: { _id: 1 }, limit, batchSize: limit + 1 })
      .project<{ _id: string }>({ _id: 1 })
      .toArray()
    return documents.map(({ _id }) => _id)
  }

  return {
    head: () => orUnavailable(reader.head()),
    readCommits: (after, limit) => orUnavailable(readCommits(after, limit)),
    compareRows: (definition, rows) => orUnavailable(compareRows(definition, rows)),
    rowIds: (definition, after, limit) => orUnavailable(rowIds(definition, after, limit)),
    lastNumber: async (category) => (await orUnavailable(sequencesOf(db).findOne({ _id: category })))?.last ?? 0,
  }
}

function toCommit(document: CommitDocument): RecordedCommit {
  const { at, by, requestId, requestHash } = document
  return {
    position: document._id as Position,
    stream: streamOf(document.stream),
    version: document.events[0]?.version ?? 0,
    commitId: document.commitId,
    events: document.events.map(({ type, data }) => ({ type, data })),
    metadata: { at, by, requestId, ...(requestHash === undefined ? {} : { requestHash }) },
  }
}

/** Which rebuild wrote a row is no part of what it says. */
function compareRow(
  stored: (RowDocument & { readonly rebuild?: string }) | undefined,
  right: RowDocument,
): RowComparison {
  if (!stored) return 'missing'
  if (stored.schema !== right.schema) return stored.schema > right.schema ? 'newer' : 'older'
  if (stored.version !== right.version) return stored.version > right.version ? 'newer' : 'older'
  const { rebuild, ...row } = stored
  return isDeepStrictEqual(row, right) ? 'equal' : 'different'
}
