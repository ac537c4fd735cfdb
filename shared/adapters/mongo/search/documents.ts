import type { Binary, Db } from 'mongodb'
import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'
import type { RowDocument } from '../views/view-row.ts'

/** What of a row is needed to find it and to put it in its place. */
export type SearchableRow = Pick<RowDocument, '_id' | 'createdAt' | 'order' | 'texts'>

/** The part of a row document that is read for it. */
export const SEARCHABLE = { createdAt: 1, order: 1, texts: 1 } as const

/** Some of a segment's grams, in order, with the postings of each. */
export interface GramsDocument {
  /** `segment/gNUMBER`. */
  readonly _id: string
  /** Separated by NUL, which no text has. */
  readonly grams: string
  /** Their postings, one after the other. */
  readonly postings: Binary
  /** How many bytes of them each gram has, as 32-bit numbers. */
  readonly lengths: Binary
}

/** Some of a segment's rows, oldest first. */
export interface EntriesDocument {
  /** `segment/eNUMBER`. */
  readonly _id: string
  readonly ids: readonly string[]
  readonly createdAt: readonly number[]
  /** Of each row's texts: tells whether they have changed. */
  readonly hashes: readonly string[]
}

/** How many rows an EntriesDocument has, but for the last one of a segment. */
export const ROWS_AN_ENTRIES_DOCUMENT = 64

/** `index`: which of the segment's, in order; padded, so that ids order as numbers do. */
export const gramsId = (segment: string, index: number): string => `${segment}/g${`${index}`.padStart(7, '0')}`
/** As gramsId. */
export const entriesId = (segment: string, index: number): string => `${segment}/e${`${index}`.padStart(7, '0')}`

/** The segment and number of an EntriesDocument. */
export function entriesOf(_id: string): { segment: string; index: number } {
  const [segment = '', index = ''] = _id.split('/e')
  return { segment, index: Number(index) }
}

/**
 * Where the segments of a view are: both kinds of documents. One collection for each schema: processes of an older
 * version go on with theirs.
 */
export function segmentsOf(db: Db, { name, schema }: AnyViewDefinition) {
  const collection = `${name}_segments_${schema}`
  return {
    grams: db.collection<GramsDocument>(collection),
    entries: db.collection<EntriesDocument>(collection),
  }
}

export type SegmentCollections = ReturnType<typeof segmentsOf>

/** Rows are looked up by their ids. */
export async function createSegmentIndexes({ entries }: SegmentCollections): Promise<void> {
  await entries.createIndex({ ids: 1 }, { name: 'ids', sparse: true })
}
