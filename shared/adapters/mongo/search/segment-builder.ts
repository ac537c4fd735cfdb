import { hash } from 'node:crypto'
import { Binary, ObjectId } from 'mongodb'
import { BY_MAJORITY } from '../majority.ts'
import {
  type EntriesDocument,
  entriesId,
  type GramsDocument,
  gramsId,
  ROWS_AN_ENTRIES_DOCUMENT,
  type SearchableRow,
  type SegmentCollections,
} from './documents.ts'
import { gramsOf } from './grams.ts'
import type { Segment } from './manifest.ts'
import { encodePostings, MOST_CHARACTERS, MOST_ROWS, type Posting, toPosting } from './postings.ts'

/** A grams document is complete with so many bytes of postings, or so many grams. */
const MOST_BYTES = 8_000
const MOST_GRAMS = 1_000
/** Documents sent at once. */
const DOCUMENTS_A_WRITE = 50

export interface SegmentBuilder {
  /** To be called in the order of lists, oldest first, for MOST_ROWS rows at the most. */
  add(row: SearchableRow): void
  size(): number
  /** Writes the segment by majority and answers what the manifest says of it. */
  finish(): Promise<Segment>
}

/** Tells whether what a segment has of a row has changed; most edits leave it as it is. */
export function hashRow({ createdAt, texts }: SearchableRow): string {
  return hash('sha1', [createdAt, ...texts].join('\0'), 'base64').slice(0, 12)
}

/**
 * Builds one segment of a search index: for each gram of three characters the places where it stands, as in Zoekt
 * (https://github.com/sourcegraph/zoekt/blob/main/doc/design.md), so that a term is found exactly, from a few short
 * lists and without a look at the texts.
 */
export function createSegmentBuilder(collections: SegmentCollections): SegmentBuilder {
  const segment = new ObjectId().toHexString()
  const postings = new Map<string, Posting[]>()
  const rows: { id: string; createdAt: number; hash: string }[] = []

  function add(searchable: SearchableRow): void {
    const { _id, createdAt, texts } = searchable
    const row = rows.length
    let character = 0
    for (const text of texts) {
      for (const gram of gramsOf(text)) {
        const known = postings.get(gram)
        const posting = toPosting(row, character++)
        if (known === undefined) postings.set(gram, [posting])
        else known.push(posting)
      }
      // No phrase goes from one text into the next.
      character += 1
    }
    if (row >= MOST_ROWS || character > MOST_CHARACTERS)
      throw new Error(`row ${_id} does not fit into a search segment`)
    rows.push({ id: _id, createdAt, hash: hashRow(searchable) })
  }

  async function finish(): Promise<Segment> {
    const grams = toGramsDocuments(segment, postings)
    const firstGrams: string[] = []
    for (let batch = grams.next(); !batch.done; batch = grams.next()) {
      firstGrams.push(...batch.value.map((document) => document.grams.split('\0', 1)[0] ?? ''))
      await collections.grams.insertMany(batch.value, { ordered: false, writeConcern: BY_MAJORITY })
    }
    const entries = toEntriesDocuments(segment, rows)
    for (let from = 0; from < entries.length; from += DOCUMENTS_A_WRITE) {
      const batch = entries.slice(from, from + DOCUMENTS_A_WRITE)
      await collections.entries.insertMany(batch, { ordered: false, writeConcern: BY_MAJORITY })
    }
    return {
      id: segment,
      size: rows.length,
      oldest: rows[0]?.createdAt ?? 0,
      newest: rows.at(-1)?.createdAt ?? 0,
      firstGrams: firstGrams.join('\0'),
    }
  }

  return { add, size: () => rows.length, finish }
}

/** In batches to be written one after the other, so that nobody waits for all of them to be encoded. */
function* toGramsDocuments(segment: string, postings: ReadonlyMap<string, readonly Posting[]>) {
  let batch: GramsDocument[] = []
  let index = 0
  let lists: { gram: string; bytes: Buffer }[] = []
  let size = 0
  const complete = (): void => {
    if (lists.length === 0) return
    batch.push(toGramsDocument(gramsId(segment, index++), lists))
    lists = []
    size = 0
  }
  for (const gram of [...postings.keys()].sort()) {
    const bytes = encodePostings(postings.get(gram) ?? [])
    if (size + bytes.length > MOST_BYTES || lists.length === MOST_GRAMS) complete()
    lists.push({ gram, bytes })
    size += bytes.length
    if (batch.length < DOCUMENTS_A_WRITE) continue
    yield batch
    batch = []
  }
  complete()
  if (batch.length > 0) yield batch
}

function toGramsDocument(_id: string, lists: readonly { gram: string; bytes: Buffer }[]): GramsDocument {
  const lengths = Uint32Array.from(lists, ({ bytes }) => bytes.length)
  return {
    _id,
    grams: lists.map(({ gram }) => gram).join('\0'),
    postings: new Binary(Buffer.concat(lists.map(({ bytes }) => bytes))),
    lengths: new Binary(new Uint8Array(lengths.buffer)),
  }
}

function toEntriesDocuments(
  segment: string,
  rows: readonly { id: string; createdAt: number; hash: string }[],
): EntriesDocument[] {
  const count = Math.ceil(rows.length / ROWS_AN_ENTRIES_DOCUMENT)
  return Array.from({ length: count }, (_, index) => {
    const some = rows.slice(index * ROWS_AN_ENTRIES_DOCUMENT, (index + 1) * ROWS_AN_ENTRIES_DOCUMENT)
    return {
      _id: entriesId(segment, index),
      ids: some.map(({ id }) => id),
      createdAt: some.map(({ createdAt }) => createdAt),
      hashes: some.map((row) => row.hash),
    }
  })
}
