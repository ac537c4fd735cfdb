import { setImmediate } from 'node:timers/promises'
import { Binary, type Db } from 'mongodb'
import type { Position } from '../../../event-sourcing/event.ts'
import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'
import { rowsOf } from '../views/view-row.ts'
import { SEARCHABLE, type SearchableRow, type SegmentCollections, segmentsOf } from './documents.ts'
import { currentIds, findEntries, isOutdated, withOutdated } from './entries.ts'
import type { Manifest, Segment } from './manifest.ts'
import { newestFirst } from './place.ts'
import { createSegmentBuilder, hashRow } from './segment-builder.ts'

/**
 * A segment is made anew together with rows when it has at the most so many times theirs. Under load a row is then
 * entered 3.5 times until its segment is full (with 4: 5.4 times), and a search meets a segment or two more.
 */
const GROWTH = 1.5
/** Rows fetched in one go. */
const BATCH = 1_000
/** Rows taken apart before others have their turn. */
const ROWS_A_TURN = 100

export interface News {
  /** Rows that were written since the manifest was made. */
  readonly ids: readonly string[]
  /** Up to where in the log. */
  readonly position: Position
}

/**
 * The manifest with new and edited rows entered: those whose texts have changed go into a segment of their own,
 * together with the rows of small segments, so that there are few of them and no row is entered anew too often
 * (a log-structured merge tree: O'Neil et al., 1996).
 */
export async function enterNews(
  db: Db,
  definition: AnyViewDefinition,
  before: Manifest,
  { ids, position }: News,
  rowsASegment: number,
): Promise<Manifest> {
  const collections = segmentsOf(db, definition)
  const changed = await changedRows(db, definition, before.segments, ids)
  if (changed.rows.length === 0) return { ...before, position }
  const segments = before.segments.map((segment) => outdate(segment, changed.outdated.get(segment.id) ?? []))
  const { merged, kept } = chooseToMerge(segments, changed.rows.length, rowsASegment)
  const rows = [...changed.rows, ...(await rowsOfSegments(db, definition, merged))]
  const made = await build(collections, rows, rowsASegment)
  const retired = merged.map(({ id }) => ({ id, at: Date.now() }))
  return { position, segments: [...kept, ...made], retired: [...before.retired, ...retired] }
}

/** Rows whose texts are not entered as they are now, and where they were entered before. */
async function changedRows(
  db: Db,
  definition: AnyViewDefinition,
  segments: readonly Segment[],
  ids: readonly string[],
) {
  const [rows, entered] = await Promise.all([
    readSearchable(db, definition, ids),
    findEntries(segmentsOf(db, definition), ids),
  ])
  const byId = new Map(rows.map((row) => [row._id, row]))
  const hashes = new Map(rows.map((row) => [row._id, hashRow(row)]))
  const outdated = new Map<string, number[]>()
  for (const segment of segments) {
    const isGone = isOutdated(segment)
    for (const { id, row, hash } of entered.get(segment.id) ?? []) {
      if (isGone(row)) continue
      if (hashes.get(id) === hash) byId.delete(id)
      else outdated.set(segment.id, [...(outdated.get(segment.id) ?? []), row])
    }
  }
  return { rows: [...byId.values()], outdated }
}

function outdate(segment: Segment, rows: readonly number[]): Segment {
  return rows.length === 0 ? segment : { ...segment, outdated: new Binary(withOutdated(segment, rows)) }
}

/** The smallest segments, as long as they are not much larger than what they are merged with. */
function chooseToMerge(segments: readonly Segment[], rows: number, rowsASegment: number) {
  const bySize = segments.map((segment) => ({ segment, size: sizeNow(segment) })).sort((a, b) => a.size - b.size)
  const merged: Segment[] = []
  let total = rows
  for (const { segment, size } of bySize) {
    if (size > total * GROWTH || total + size > rowsASegment) break
    merged.push(segment)
    total += size
  }
  return { merged, kept: segments.filter((segment) => !merged.includes(segment)) }
}

function sizeNow(segment: Segment): number {
  if (segment.outdated === undefined) return segment.size
  const isGone = isOutdated(segment)
  return Array.from({ length: segment.size }, (_, row) => isGone(row)).filter((gone) => !gone).length
}

async function rowsOfSegments(
  db: Db,
  definition: AnyViewDefinition,
  segments: readonly Segment[],
): Promise<SearchableRow[]> {
  const ids = await Promise.all(segments.map((segment) => currentIds(segmentsOf(db, definition), segment)))
  return await readSearchable(db, definition, ids.flat())
}

async function readSearchable(db: Db, definition: AnyViewDefinition, ids: readonly string[]): Promise<SearchableRow[]> {
  const rows: SearchableRow[] = []
  for (let from = 0; from < ids.length; from += BATCH) {
    const some = rowsOf(db, definition).find({ _id: { $in: ids.slice(from, from + BATCH) } }, { batchSize: BATCH + 1 })
    rows.push(...(await some.project<SearchableRow>(SEARCHABLE).toArray()))
  }
  return rows
}

async function build(collections: SegmentCollections, rows: SearchableRow[], rowsASegment: number): Promise<Segment[]> {
  rows.sort((a, b) => newestFirst(b, a))
  const segments: Segment[] = []
  for (let from = 0; from < rows.length; from += rowsASegment) {
    const builder = createSegmentBuilder(collections)
    for (const [index, row] of rows.slice(from, from + rowsASegment).entries()) {
      builder.add(row)
      if (index % ROWS_A_TURN === ROWS_A_TURN - 1) await setImmediate()
    }
    segments.push(await builder.finish())
  }
  return segments
}
