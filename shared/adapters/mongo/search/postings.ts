/**
 * Where a gram stands: rows of a segment by their number in it, below 2^16, and the character within the row's texts,
 * below 2^16 too; both in one number, so that what follows in a text is what follows in number.
 */
export type Posting = number

const ROW = 65_536

/** The most rows of a segment. */
export const MOST_ROWS = ROW
/** The most characters of a row: so few that no distance within a phrase leads from one row into another. */
export const MOST_CHARACTERS = ROW / 2

/** The posting of a row of a segment and a character in it, both from 0 on. */
export function toPosting(row: number, character: number): Posting {
  return row * ROW + character
}

/** The row of a posting. */
export function rowOf(posting: Posting): number {
  return Math.floor(posting / ROW)
}

/** Rising postings as bytes: for each, the rows since the one before and the character, seven bits a byte. */
export function encodePostings(postings: readonly Posting[]): Buffer {
  const bytes = Buffer.allocUnsafe(postings.length * 6)
  let end = 0
  let previous = 0
  for (const posting of postings) {
    const row = rowOf(posting)
    end = writeNumber(bytes, end, row - previous)
    end = writeNumber(bytes, end, posting % ROW)
    previous = row
  }
  return bytes.subarray(0, end)
}

/** What encodePostings was given. */
export function decodePostings(bytes: Uint8Array): Uint32Array {
  const postings = new Uint32Array(bytes.length >> 1)
  let count = 0
  let row = 0
  for (let at = 0; at < bytes.length; ) {
    let byte = bytes[at++] ?? 0
    let delta = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0
      delta |= (byte & 127) << shift
    }
    row += delta
    byte = bytes[at++] ?? 0
    let character = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0
      character |= (byte & 127) << shift
    }
    postings[count++] = row * ROW + character
  }
  return postings.subarray(0, count)
}

/** Those of the first that have one of the second so many characters later; both rise. */
export function followedBy(postings: Uint32Array, later: Uint32Array, distance: number): Uint32Array {
  const kept = new Uint32Array(Math.min(postings.length, later.length))
  let count = 0
  let next = 0
  for (const posting of postings) {
    const wanted = posting + distance
    while (next < later.length && (later[next] ?? 0) < wanted) next += 1
    if (later[next] === wanted) kept[count++] = posting
  }
  return kept.subarray(0, count)
}

function writeNumber(bytes: Buffer, at: number, value: number): number {
  let end = at
  let rest = value
  for (; rest > 127; rest >>>= 7) bytes[end++] = (rest & 127) | 128
  bytes[end++] = rest
  return end
}
