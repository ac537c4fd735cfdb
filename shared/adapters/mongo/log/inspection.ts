import type { Collection, Db } from 'mongodb'
import type { Position } from '../../../event-sourcing/event.ts'
import type { Inspection, RecordedCommit, RowComparison } from '../../../event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition, ViewRow } from '../../../event-sourcing/ports/view.ts'
import { orUnavailable } from '../availability.ts'
import { sequencesOf } from '../sequence.ts'
import { compareRows } from '../views/row-comparison.ts'
import { countRows, rowsOf } from '../views/view-row.ts'
import { type CommitDocument, streamOf } from './commit-document.ts'
import { readCommitsAfter } from './commits-after.ts'
import type { LogReader } from './log-reader.ts'

/** Reads what is stored: the log as a majority holds it, rows as the primary has them. */
export function createInspection(db: Db, log: Collection<CommitDocument>, reader: LogReader): Inspection {
  async function readCommits(after: Position, limit: number): Promise<RecordedCommit[]> {
    return (await readCommitsAfter(log, { after, limit, fields: RECORDED_FIELDS })).map(toCommit)
  }

  async function comparisons(definition: AnyViewDefinition, rows: readonly ViewRow[]): Promise<RowComparison[]> {
    const compared = await compareRows(rowsOf(db, definition), definition, rows)
    return compared.map(({ comparison }) => comparison)
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
    compareRows: (definition, rows) => orUnavailable(comparisons(definition, rows)),
    countRows: (definition) => orUnavailable(countRows(db, definition)),
    rowIds: (definition, after, limit) => orUnavailable(rowIds(definition, after, limit)),
    lastNumber: async (category) => (await orUnavailable(sequencesOf(db).findOne({ _id: category })))?.last ?? 0,
  }
}

const RECORDED_FIELDS = ['commitId', 'stream', 'events', 'at', 'by', 'requestId', 'requestHash'] as const

function toCommit(document: Omit<CommitDocument, 'attempt'>): RecordedCommit {
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
