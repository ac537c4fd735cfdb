import type { GramsDocument, SegmentCollections } from './documents.ts'
import { gramsId } from './documents.ts'
import type { GramTerm } from './grams.ts'
import type { Segment } from './manifest.ts'
import { decodePostings, followedBy, MOST_ROWS, rowOf } from './postings.ts'

/** Numbers of the rows of a segment that have what is searched for, rising: oldest first. */
export type Matches = Uint32Array

const EVERY_ROW = Uint32Array.from({ length: MOST_ROWS }, (_, row) => row)

/** Every row of a segment. */
export function allRows({ size }: Segment): Matches {
  return EVERY_ROW.subarray(0, size)
}

/** The rows of one segment that have the term in one of their texts, outdated ones too. */
export async function findMatches({ grams }: SegmentCollections, segment: Segment, term: GramTerm): Promise<Matches> {
  const firstGrams = segment.firstGrams.split('\0')
  if (term.type === 'prefix') {
    const from = indexOfLastUpTo(firstGrams, term.prefix)
    const to = indexOfLastUpTo(firstGrams, lastGramWith(term.prefix))
    const _id = { $gte: gramsId(segment.id, Math.max(from, 0)), $lte: gramsId(segment.id, Math.max(to, 0)) }
    return rowsOfAll(await grams.find({ _id }, { batchSize: 10_000 }).toArray(), term.prefix)
  }
  const indexes = term.grams.map(({ gram }) => indexOfLastUpTo(firstGrams, gram))
  if (indexes.includes(-1)) return new Uint32Array()
  const ids = [...new Set(indexes)].map((index) => gramsId(segment.id, index))
  const documents = await grams.find({ _id: { $in: ids } }, { batchSize: ids.length + 1 }).toArray()
  const byId = new Map(documents.map((document) => [document._id, document]))
  const lists = term.grams.map(({ gram, offset }, number) => {
    const document = byId.get(gramsId(segment.id, indexes[number] ?? 0))
    return { offset, bytes: document && postingsOf(document, gram) }
  })
  return rowsOfPhrase(lists)
}

/** No gram with the prefix comes after it: grams are in the order of UTF-16 units, and have two more characters at most. */
const lastGramWith = (prefix: string): string => `${prefix}\uffff\uffff`

/** The grams document that would have a gram: -1 when it comes before all of them. */
function indexOfLastUpTo(firstGrams: readonly string[], gram: string): number {
  let [from, to] = [0, firstGrams.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((firstGrams[middle] ?? '') <= gram) from = middle + 1
    else to = middle
  }
  return from - 1
}

function postingsOf({ grams, postings, lengths }: GramsDocument, gram: string): Uint8Array | undefined {
  const index = grams.split('\0').indexOf(gram)
  if (index < 0) return undefined
  const all = toNumbers(lengths.value())
  let start = 0
  for (let before = 0; before < index; before++) start += all[before] ?? 0
  return postings.value().subarray(start, start + (all[index] ?? 0))
}

/** Rows that have the lists' grams one after the other, from the shortest list to the longest. */
function rowsOfPhrase(lists: readonly { offset: number; bytes: Uint8Array | undefined }[]): Matches {
  let found: { offset: number; postings: Uint32Array } | undefined
  for (const { offset, bytes } of lists.toSorted((a, b) => (a.bytes?.length ?? 0) - (b.bytes?.length ?? 0))) {
    if (bytes === undefined || found?.postings.length === 0) return new Uint32Array()
    const postings = decodePostings(bytes)
    found = found
      ? { offset: found.offset, postings: followedBy(found.postings, postings, offset - found.offset) }
      : { offset, postings }
  }
  return distinctRows(found?.postings ?? new Uint32Array())
}

function distinctRows(postings: Uint32Array): Matches {
  const rows = new Uint32Array(postings.length)
  let count = 0
  for (const posting of postings) {
    const row = rowOf(posting)
    if (count === 0 || rows[count - 1] !== row) rows[count++] = row
  }
  return rows.subarray(0, count)
}

/** Rows that have any gram beginning with the prefix. */
function rowsOfAll(documents: readonly GramsDocument[], prefix: string): Matches {
  const marked = new Uint8Array(MOST_ROWS)
  for (const { grams, postings, lengths } of documents) {
    const all = toNumbers(lengths.value())
    let start = 0
    for (const [index, gram] of grams.split('\0').entries()) {
      const end = start + (all[index] ?? 0)
      if (gram.startsWith(prefix)) {
        for (const posting of decodePostings(postings.value().subarray(start, end))) marked[rowOf(posting)] = 1
      }
      start = end
    }
  }
  const rows = new Uint32Array(MOST_ROWS)
  let count = 0
  for (let row = 0; row < MOST_ROWS; row++) if (marked[row] === 1) rows[count++] = row
  return rows.subarray(0, count)
}

/** 32-bit numbers as they were written; copied, for where they stand in an answer is not always a multiple of four. */
function toNumbers(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(Uint8Array.from(bytes).buffer)
}
