import type { LedgerChangesQuery } from '../../../../event-sourcing/ports/ledger.ts'
import { type Chunk, chunksOf, type Numbers } from '../../any-thread/ledger/chunks.ts'
import { ledgerTables } from '../../any-thread/ledger/ledger-tables.ts'
import { doubled } from './doubled.ts'
import { entryFilter } from './entry-filter.ts'
import { createNumbersById } from './numbers-by-id.ts'
import type { OpenLedger } from './open-ledger.ts'

/** The rows that have versions between two moments, as arrays by number of the row. */
export interface TouchedRows {
  count: number
  ids: Float64Array
  /** The last version that changed what the row counts for, and its time. */
  versions: Uint32Array
  times: Float64Array
  /** What the row counts for at the two moments: `width` numbers each; of `before`, zeros when it did not exist. */
  before: Int32Array
  after: Int32Array
  /** 1 where the row existed at the moment and the filter fits it. */
  fitsBefore: Uint8Array
  fitsAfter: Uint8Array
  /** How far the row has been read. */
  states: Uint8Array
  /** Whether the row counts for the same at both moments. */
  isSame(row: number): boolean
}

/** Every version read so far counts for the same as `after`. */
const SAME = 0
/** An earlier version counts for something else. */
const CHANGED = 1
/** Nothing of the row is left to be read. */
const DONE = 2

/**
 * Reads the ledger from its end until it has met, of each row with a version between the moments, the version before.
 * Yields after each chunk.
 */
export function* readTouched(
  { statements, shape, rows: table }: OpenLedger,
  query: LedgerChangesQuery,
  columns: readonly string[],
): Generator<undefined, TouchedRows, undefined> {
  const tables = ledgerTables(table, shape)
  const fits = entryFilter(statements, tables, shape, query)
  const rows = createRows(columns.length)
  const numbers = createNumbersById()
  let open = 0
  for (const chunk of chunksOf(statements, tables)) {
    if (chunk.lowest > query.until) continue
    if (open === 0 && chunk.highest <= query.since) continue
    open += readChunk(chunk, query, rows, { numbers, columns, fits })
    yield
  }
  return rows
}

interface Reading {
  readonly numbers: ReturnType<typeof createNumbersById>
  readonly columns: readonly string[]
  readonly fits: ReturnType<typeof entryFilter>
}

/** Returns how many more rows there are than before whose version before is still to come. */
function readChunk(
  chunk: Chunk,
  { since, until }: Pick<LedgerChangesQuery, 'since' | 'until'>,
  rows: TouchedRows,
  { numbers, columns, fits }: Reading,
): number {
  const ids = chunk.column('id')
  // Read once a row needs them: most chunks from before the earlier moment have none of the rows.
  let times: Numbers | undefined
  let versions: Numbers | undefined
  let counted: readonly Numbers[] | undefined
  let fitting: Uint8Array | undefined
  const isBefore = chunk.highest <= since
  let opened = 0
  for (let index = chunk.size - 1; index >= 0; index--) {
    const known = numbers.get(ids[index] as number)
    if (known < 0 ? isBefore : rows.states[known] === DONE) continue
    times ??= chunk.column('at')
    const at = times[index] as number
    if (at > until || (known < 0 && at <= since)) continue
    versions ??= chunk.column('version')
    counted ??= columns.map((name) => chunk.column(name))
    fitting ??= fittingIn(chunk, fits)
    const version = versions[index] as number
    const row = known < 0 ? addRow(rows) : known
    if (known < 0) {
      numbers.set(ids[index] as number, row)
      rows.ids[row] = ids[index] as number
      copy(counted, index, rows.after, row)
      rows.fitsAfter[row] = fitting[index] as number
      opened += 1
    } else if (at <= since) {
      copy(counted, index, rows.before, row)
      rows.fitsBefore[row] = fitting[index] as number
    } else if (rows.states[row] === SAME && !equals(counted, index, rows.after, row)) {
      rows.states[row] = CHANGED
    }
    if (at > since && rows.states[row] === SAME) {
      rows.versions[row] = version
      rows.times[row] = at
    }
    if (at <= since || version === 1) {
      rows.states[row] = DONE
      opened -= 1
    }
  }
  return opened
}

function fittingIn(chunk: Chunk, fits: Reading['fits']): Uint8Array {
  const indexes = Int32Array.from({ length: chunk.size }, (_, index) => index)
  const count = fits(chunk, indexes, chunk.size)
  const fitting = new Uint8Array(chunk.size)
  for (let n = 0; n < count; n++) fitting[indexes[n] as number] = 1
  return fitting
}

function copy(counted: readonly Numbers[], index: number, side: Int32Array, row: number): void {
  for (let n = 0; n < counted.length; n++) side[row * counted.length + n] = (counted[n] as Numbers)[index] as number
}

function equals(counted: readonly Numbers[], index: number, side: Int32Array, row: number): boolean {
  for (let n = 0; n < counted.length; n++) {
    if (side[row * counted.length + n] !== (counted[n] as Numbers)[index]) return false
  }
  return true
}

function createRows(width: number): TouchedRows {
  const rows: TouchedRows = {
    count: 0,
    ids: new Float64Array(64),
    versions: new Uint32Array(64),
    times: new Float64Array(64),
    before: new Int32Array(64 * width),
    after: new Int32Array(64 * width),
    fitsBefore: new Uint8Array(64),
    fitsAfter: new Uint8Array(64),
    states: new Uint8Array(64),
    isSame(row) {
      for (let n = row * width; n < (row + 1) * width; n++) if (rows.before[n] !== rows.after[n]) return false
      return true
    },
  }
  return rows
}

/** The number of a new row. */
function addRow(rows: TouchedRows): number {
  if (rows.count === rows.ids.length) {
    rows.ids = doubled(rows.ids, Float64Array)
    rows.versions = doubled(rows.versions, Uint32Array)
    rows.times = doubled(rows.times, Float64Array)
    rows.before = doubled(rows.before, Int32Array)
    rows.after = doubled(rows.after, Int32Array)
    rows.fitsBefore = doubled(rows.fitsBefore, Uint8Array)
    rows.fitsAfter = doubled(rows.fitsAfter, Uint8Array)
    rows.states = doubled(rows.states, Uint8Array)
  }
  return rows.count++
}
