import type { Statements } from '../statements.ts'
import { BLOCK_SIZE, COLUMNS_A_BLOCK, isWide, type LedgerTables, limbColumns } from './ledger-tables.ts'

export type Numbers = Float64Array | Int32Array

/** Entries of a ledger that are adjacent in the log, oldest first. */
export interface Chunk {
  readonly size: number
  /** The earliest and the latest time in it. */
  readonly lowest: number
  readonly highest: number
  /** One number of each entry, read when it is first asked for. */
  column(name: string): Numbers
}

/** The chunks of a ledger, latest first. */
export function* chunksOf(statements: Statements, tables: LedgerTables): Generator<Chunk, void, undefined> {
  const { blocks } = tables
  const tail = tailOf(statements, tables)
  if (tail.size > 0) yield tail
  const found = statements.asArrays<BlockColumns>(`SELECT block, lowest, highest FROM ${blocks} ORDER BY block DESC`)
  for (const columns of found.all()) yield toChunk(statements, tables, columns)
}

type BlockColumns = readonly [block: number, lowest: number, highest: number]

/** The first block after one of them (undefined: of all), with its number; undefined when there is none. */
export function blockAfter(statements: Statements, tables: LedgerTables, after = -1) {
  const sql = `SELECT block, lowest, highest FROM ${tables.blocks} WHERE block > ? ORDER BY block LIMIT 1`
  const found = statements.asArrays<BlockColumns>(sql).get(after)
  return found && { block: found[0], chunk: toChunk(statements, tables, found) }
}

function toChunk(statements: Statements, tables: LedgerTables, [block, lowest, highest]: BlockColumns): Chunk {
  return { size: BLOCK_SIZE, lowest, highest, column: columnsOf(statements, tables, block) }
}

/** The entries that are in no block yet. */
export function tailOf(statements: Statements, { entries, columnNames }: LedgerTables): Chunk {
  const select = statements.asArrays<readonly number[]>(
    `SELECT ${columnNames.join(', ')} FROM ${entries} ORDER BY number`,
  )
  const found = select.all()
  const column = (name: string): Numbers => {
    const index = columnNames.indexOf(name)
    const numbers = found.map((entry) => Number(entry[index]))
    return isWide(name) ? Float64Array.from(numbers) : Int32Array.from(numbers)
  }
  const times = column('at')
  return { size: found.length, lowest: Math.min(...times), highest: Math.max(...times), column }
}

const ZEROS = new Int32Array(BLOCK_SIZE)

function columnsOf(statements: Statements, { columns, columnNames }: LedgerTables, block: number) {
  const select = statements.asArrays<[Uint8Array]>(`SELECT numbers FROM ${columns} WHERE key = ?`)
  return (name: string): Numbers => {
    const key = block * COLUMNS_A_BLOCK + columnNames.indexOf(name)
    const [bytes] = select.get(key) ?? []
    if (bytes === undefined) throw new Error(`block ${block} has no column ${name}`)
    if (bytes.length === 0) return ZEROS
    // SQLite's bindings copy each blob into a buffer of its own, so the numbers are aligned.
    return isWide(name) ? new Float64Array(bytes.buffer) : new Int32Array(bytes.buffer)
  }
}

/** The limbs of amounts, LIMBS columns for each; undefined where all are 0. */
export function limbsOf(chunk: Chunk, amounts: readonly string[]): (Numbers | undefined)[] {
  return amounts.flatMap(limbColumns).map((name) => {
    const numbers = chunk.column(name)
    return numbers === ZEROS ? undefined : numbers
  })
}
