import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { HIGHEST_KEY, LOWEST_KEY, PLACE_BITS, type ViewTables } from './view-tables.ts'

const PLACES = 1n << PLACE_BITS
const MIDDLE = PLACES / 2n
/** The distance between two rows of a millisecond, while there is plenty of room above. */
const STRIDE = 4096n
/** The least room that counts as plenty: half of what lies above the middle. */
const PLENTY = PLACES / 4n

/** The creation time in a key, in milliseconds since the epoch. */
export function creationTime(key: bigint): number {
  return Number(key >> PLACE_BITS)
}

/** The lowest and the highest key of a millisecond. */
export function keysOf(createdAt: number): readonly [first: bigint, last: bigint] {
  const first = BigInt(createdAt) << PLACE_BITS
  return [first, first + PLACES - 1n]
}

/**
 * The key of the n-th of `count` rows that are spread evenly over a millisecond. Throws when more rows were created in
 * one millisecond than there are places.
 */
export function spreadKey(createdAt: number, n: number, count: number): bigint {
  if (BigInt(count) >= PLACES) throw new Error(`more than ${PLACES} rows created in the millisecond ${createdAt}`)
  return (BigInt(createdAt) << PLACE_BITS) + (BigInt(n + 1) * PLACES) / BigInt(count + 1)
}

/**
 * Returns a function that finds the key for a new row of a generation (see ViewTables): after every row created
 * earlier, and among those of the same millisecond in id order. undefined when its neighbours' keys are adjacent: the
 * rows of their millisecond must be spread first.
 */
export function createKeyFinder(connection: DatabaseSync, { rows }: ViewTables) {
  const highest = connection.prepare(`SELECT max(key) AS key FROM ${rows} WHERE key BETWEEN ? AND ?`)
  const belowId = connection.prepare(
    `SELECT key FROM ${rows} WHERE key BETWEEN ? AND ? AND id < ? ORDER BY key DESC LIMIT 1`,
  )
  const nextKey = connection.prepare(`SELECT min(key) AS key FROM ${rows} WHERE key > ? AND key <= ?`)
  for (const statement of [highest, belowId, nextKey]) statement.setReadBigInts(true)
  /**
   * The latest creation time of any row. Every key is assigned here, so most new rows get one without a read. After a
   * rollback it may be too late, which only costs a read.
   */
  let latest = creationTime(keyFrom(highest, LOWEST_KEY, HIGHEST_KEY) ?? LOWEST_KEY)
  return (createdAt: number, id: string | number): bigint | undefined => {
    const [first, last] = keysOf(createdAt)
    if (createdAt > latest) {
      latest = createdAt
      return first + MIDDLE
    }
    const below = keyFrom(belowId, first, last, id)
    const above = keyFrom(nextKey, below ?? first - 1n, last)
    const lower = below ?? first - 1n
    const room = (above ?? last + 1n) - lower
    // Ids mostly ascend: large strides leave room for a few late ones, then single steps fit a great many rows.
    const step = below === undefined || above !== undefined ? room / 2n : room > PLENTY ? STRIDE : 1n
    return step > 0n && step < room ? lower + step : undefined
  }
}

function keyFrom(statement: StatementSync, ...values: (bigint | string | number)[]): bigint | undefined {
  const key = statement.get(...values)?.key
  return typeof key === 'bigint' ? key : undefined
}
