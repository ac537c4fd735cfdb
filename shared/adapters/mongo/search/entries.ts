import {
  type EntriesDocument,
  entriesId,
  entriesOf,
  ROWS_AN_ENTRIES_DOCUMENT,
  type SegmentCollections,
} from './documents.ts'
import type { Segment } from './manifest.ts'

/** A row as a segment has it. */
export interface Entry {
  readonly id: string
  /** Its number in the segment. */
  readonly row: number
  readonly hash: string
}

/** Where these rows are entered, by segment, outdated entries and retired segments too. */
export async function findEntries(
  { entries }: SegmentCollections,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Entry[]>> {
  const found = new Map<string, Entry[]>()
  if (ids.length === 0) return found
  const wanted = new Set(ids)
  const documents = await entries.find({ ids: { $in: [...wanted] } }, { batchSize: 10_000 }).toArray()
  for (const { _id, ids, hashes } of documents) {
    const { segment, index } = entriesOf(_id)
    const known = found.get(segment) ?? []
    for (const [at, id] of ids.entries()) {
      if (wanted.has(id)) known.push({ id, row: index * ROWS_AN_ENTRIES_DOCUMENT + at, hash: hashes[at] ?? '' })
    }
    found.set(segment, known)
  }
  return found
}

/** Ids and creation times of rows of a segment, by their numbers. */
export async function readEntries({ entries }: SegmentCollections, { id }: Segment, rows: Uint32Array) {
  const indexes = new Set(Array.from(rows, (row) => Math.floor(row / ROWS_AN_ENTRIES_DOCUMENT)))
  const _ids = Array.from(indexes, (index) => entriesId(id, index))
  const documents = await entries
    .find({ _id: { $in: _ids } }, { batchSize: 10_000, projection: { ids: 1, createdAt: 1 } })
    .toArray()
  const byIndex = new Map(documents.map((document) => [entriesOf(document._id).index, document]))
  return Array.from(rows, (row) => {
    const document = byIndex.get(Math.floor(row / ROWS_AN_ENTRIES_DOCUMENT))
    const at = row % ROWS_AN_ENTRIES_DOCUMENT
    return { id: document?.ids[at] ?? '', createdAt: document?.createdAt[at] ?? 0 }
  })
}

/** The ids of the rows that a segment has and that are not outdated. */
export async function currentIds({ entries }: SegmentCollections, segment: Segment): Promise<string[]> {
  const isGone = isOutdated(segment)
  const documents = await entries
    .find({ _id: { $gte: entriesId(segment.id, 0), $lte: entriesId(segment.id, segment.size) } }, { batchSize: 10_000 })
    .sort({ _id: 1 })
    .project<Pick<EntriesDocument, '_id' | 'ids'>>({ ids: 1 })
    .toArray()
  return documents.flatMap(({ ids }) => ids).filter((_, row) => !isGone(row))
}

/** Whether rows of a segment have moved on to a later one. */
export function isOutdated({ outdated }: Segment): (row: number) => boolean {
  if (outdated === undefined) return () => false
  const bits = outdated.value()
  return (row) => ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0
}

/** The bits of a segment with more rows marked as outdated. */
export function withOutdated({ outdated, size }: Segment, rows: Iterable<number>): Uint8Array {
  const bits = new Uint8Array(Math.ceil(size / 8))
  if (outdated !== undefined) bits.set(outdated.value())
  for (const row of rows) bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7))
  return bits
}
