import type { Db } from 'mongodb'
import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'
import { rowsOf } from '../views/view-row.ts'
import { createSegmentIndexes, SEARCHABLE, type SearchableRow, segmentsOf } from './documents.ts'
import type { Segment } from './manifest.ts'
import { createSegmentBuilder } from './segment-builder.ts'

/** Rows fetched, and taken apart before others have their turn. */
const BATCH = 200

/**
 * Makes segments of all rows of a view, in the order of lists. What is written to the view meanwhile may be in them or
 * not: it is to be entered again by whoever puts them into a manifest.
 */
export async function buildSegments(db: Db, definition: AnyViewDefinition, rowsASegment: number): Promise<Segment[]> {
  const collections = segmentsOf(db, definition)
  await createSegmentIndexes(collections)
  const rows = rowsOf(db, definition)
    .find({}, { batchSize: BATCH, sort: { createdAt: 1, order: 1 } })
    .project<SearchableRow>(SEARCHABLE)
  const segments: Segment[] = []
  let builder = createSegmentBuilder(collections)
  for await (const row of rows) {
    builder.add(row)
    if (builder.size() < rowsASegment) continue
    segments.push(await builder.finish())
    builder = createSegmentBuilder(collections)
  }
  return builder.size() === 0 ? segments : [...segments, await builder.finish()]
}
