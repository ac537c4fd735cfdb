import assert from 'node:assert/strict'
import fc from 'fast-check'
import { gramsOf, toGramTerm } from '../../../shared/adapters/mongo/search/grams.ts'
import {
  decodePostings,
  encodePostings,
  followedBy,
  MOST_CHARACTERS,
  MOST_ROWS,
  rowOf,
  toPosting,
} from '../../../shared/adapters/mongo/search/postings.ts'

/** Texts that have much in common, and characters of more than one UTF-16 unit. */
const text = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'aab', ' ', '🧾', '漢', 'é'), { maxLength: 12 })
  .map((pieces) => pieces.join(''))
const term = text.filter((some) => some !== '')

describe('grams of the search index', () => {
  it('find exactly the rows that have a term in one of their texts', () => {
    fc.assert(
      fc.property(fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 8 }), term, (rows, some) => {
        const expected = rows.flatMap((texts, row) => (texts.some((one) => one.includes(some)) ? [row] : []))
        assert.deepEqual(rowsWith(postingsOf(rows), some), expected)
      }),
      { numRuns: 500 },
    )
  })

  it('are packed and unpacked without loss, up to the last row and character', () => {
    const place = fc.tuple(fc.nat(MOST_ROWS - 1), fc.nat(MOST_CHARACTERS))
    fc.assert(
      fc.property(fc.array(place), (places) => {
        const postings = places.map(([row, character]) => toPosting(row, character)).sort((a, b) => a - b)
        assert.deepEqual([...decodePostings(encodePostings(postings))], postings)
      }),
    )
  })
})

/** As a segment has them: texts one after the other, a character apart. */
function postingsOf(rows: readonly (readonly string[])[]): Map<string, number[]> {
  const postings = new Map<string, number[]>()
  for (const [row, texts] of rows.entries()) {
    let character = 0
    for (const one of texts) {
      for (const gram of gramsOf(one)) postings.set(gram, [...(postings.get(gram) ?? []), toPosting(row, character++)])
      character += 1
    }
  }
  return postings
}

function rowsWith(postings: ReadonlyMap<string, readonly number[]>, some: string): number[] {
  const how = toGramTerm(some)
  const listOf = (gram: string): Uint32Array => Uint32Array.from(postings.get(gram) ?? [])
  if (how.type === 'prefix') {
    const found = [...postings].filter(([gram]) => gram.startsWith(how.prefix)).flatMap(([, list]) => list)
    return [...new Set(found.map(rowOf))].sort((a, b) => a - b)
  }
  const [first, ...rest] = how.grams
  const found = rest.reduce(
    (list, { gram, offset }) => followedBy(list, listOf(gram), offset),
    listOf(first?.gram ?? ''),
  )
  return [...new Set(Array.from(found, rowOf))]
}
