import type {
  LedgerChange,
  LedgerChangesPage,
  LedgerChangesQuery,
  LedgerEntry,
} from '../../../../event-sourcing/ports/ledger.ts'
import { decodeDate } from '../../any-thread/ledger/encoded-version.ts'
import { type LedgerShape, limbColumns } from '../../any-thread/ledger/ledger-tables.ts'
import { LIMBS, toDecimal } from '../../any-thread/ledger/limbs.ts'
import { addGroup, createGroups, placeOf, sumOf } from './groups.ts'
import type { OpenLedger } from './open-ledger.ts'
import { partialSort } from './partial-sort.ts'
import { createTexts } from './texts.ts'
import { readTouched, type TouchedRows } from './touched-rows.ts'

/** How many rows are compared between two yields: a few milliseconds. */
const ROWS_A_TURN = 8_192

/**
 * Answers what changed between two moments. Yields every few milliseconds, so that other reads get a turn. Takes some
 * 150 bytes for each row with a version in between.
 */
export function* readChanges(
  ledger: OpenLedger,
  query: LedgerChangesQuery,
): Generator<undefined, LedgerChangesPage, undefined> {
  const columns = countedColumns(ledger.shape)
  const touched = yield* readTouched(ledger, query, columns)
  const { changed, difference } = yield* compare(touched, columns, query.sum)
  const { ids, times } = touched
  const byTime = (one: number, other: number): number =>
    (times[other] as number) - (times[one] as number) || (ids[other] as number) - (ids[one] as number)
  const to = Math.min(query.offset + query.limit, changed.length)
  yield* partialSort(changed, { from: query.offset, to }, byTime)
  const toEntry = entryDecoder(ledger, touched)
  const changes = [...changed.subarray(Math.min(query.offset, to), to)].map(
    (row): LedgerChange => ({
      id: String(ids[row]),
      before: toEntry('before', row),
      after: toEntry('after', row),
      version: touched.versions[row] as number,
      at: times[row] as number,
    }),
  )
  return { changes, total: changed.length, difference }
}

/** The columns of what counts. */
function countedColumns({ texts, amounts }: LedgerShape): string[] {
  return [...texts, 'date', ...amounts.flatMap(limbColumns)]
}

/**
 * The rows that match the filter at either moment and differ between the two, and by how much. Nothing is carried: the
 * rows are in memory, and fewer than a limb has room for.
 */
function* compare(touched: TouchedRows, columns: readonly string[], sum: readonly string[]) {
  const limbs = sum.flatMap(limbColumns).map((name) => columns.indexOf(name))
  const groups = createGroups(sum.length)
  addGroup(groups, 0, 0)
  const add = (side: Int32Array, row: number, sign: 1 | -1): void => {
    groups.counts[0] = (groups.counts[0] as number) + sign
    for (let n = 0; n < limbs.length; n++) {
      const number = side[row * columns.length + (limbs[n] as number)] as number
      const sums = groups.limbs[placeOf(n)] as Float64Array
      sums[0] = (sums[0] as number) + sign * number
    }
  }
  const changed = new Int32Array(touched.count)
  let found = 0
  for (let row = 0; row < touched.count; row++) {
    const [had, has] = [touched.fitsBefore[row] === 1, touched.fitsAfter[row] === 1]
    if (had !== has || (has && !touched.isSame(row))) {
      changed[found++] = row
      if (had) add(touched.before, row, -1)
      if (has) add(touched.after, row, 1)
    }
    if (row % ROWS_A_TURN === 0) yield
  }
  return { changed: changed.subarray(0, found), difference: sumOf(groups, 0, sum) }
}

function entryDecoder(ledger: OpenLedger, touched: TouchedRows) {
  const { texts, amounts } = ledger.shape
  const { text } = createTexts(ledger, {})
  const width = countedColumns(ledger.shape).length
  return (side: 'before' | 'after', row: number): LedgerEntry | undefined => {
    if ((side === 'before' ? touched.fitsBefore : touched.fitsAfter)[row] !== 1) return undefined
    const numbers = [...touched[side].subarray(row * width, (row + 1) * width)]
    const limbs = numbers.slice(texts.length + 1)
    return {
      texts: Object.fromEntries(texts.map((name, n) => [name, text(numbers[n] as number)])),
      date: decodeDate(numbers[texts.length] as number),
      amounts: Object.fromEntries(
        amounts.map((name, n) => [name, toDecimal(limbs.slice(n * LIMBS, (n + 1) * LIMBS))] as const),
      ),
    }
  }
}
