import type { LedgerFilter } from '../../../../event-sourcing/ports/ledger.ts'
import type { Chunk } from '../../any-thread/ledger/chunks.ts'
import { encodeDate } from '../../any-thread/ledger/encoded-version.ts'
import type { LedgerShape, LedgerTables } from '../../any-thread/ledger/ledger-tables.ts'
import type { Statements } from '../../any-thread/statements.ts'

/** Leaves, of the first `count` indexes into a chunk, only those of entries that fit, and counts them. */
export type EntryFilter = (chunk: Chunk, indexes: Int32Array, count: number) => number

/** The numbers of one column that fit; both ends inclusive. */
interface Range {
  readonly column: string
  readonly first: number
  readonly last: number
}

/** The filter in terms of a ledger's numbers. Throws an Error for a text that the ledger lacks. */
export function entryFilter(
  statements: Statements,
  { codes }: LedgerTables,
  shape: LedgerShape,
  { where, from, to }: LedgerFilter,
): EntryFilter {
  const ranges = Object.entries(where).flatMap(([column, text]): Range[] => {
    if (!shape.texts.includes(column)) throw new Error(`the ledger has no text ${column}`)
    if (text === undefined) return []
    // No entry has the code 0.
    const code = Number(statements.of(`SELECT code FROM ${codes} WHERE text = ?`).get(text)?.code ?? 0)
    return [{ column, first: code, last: code }]
  })
  if (from !== undefined || to !== undefined) {
    const first = from === undefined ? 0 : encodeDate(from)
    ranges.push({ column: 'date', first, last: to === undefined ? 99_999_999 : encodeDate(to) })
  }
  return (chunk, indexes, count) => ranges.reduce((left, range) => keep(chunk, range, indexes, left), count)
}

function keep(chunk: Chunk, { column, first, last }: Range, indexes: Int32Array, count: number): number {
  if (count === 0) return 0
  const numbers = chunk.column(column)
  let kept = 0
  for (let n = 0; n < count; n++) {
    const index = indexes[n] as number
    const number = numbers[index] as number
    if (number >= first && number <= last) indexes[kept++] = index
  }
  return kept
}
