import { type Db, type Document, MongoServerError } from 'mongodb'
import { DUPLICATE_KEY } from './availability.ts'
import { BY_MAJORITY } from './majority.ts'
import { olderThan, type VersionedDocument } from './view-row.ts'

/** `memory`: the primary has it, and a change of primary may undo it. `majority`: nothing undoes it. */
export type Durability = 'memory' | 'majority'

/**
 * Writes rows into a view's collection, each unless a newer one stands there: first versions by insert, others by
 * guarded upsert. Throws the driver's errors; rows of a call that failed may have been written or not, and can be
 * written again at any time.
 */
export async function writeRows(
  db: Db,
  collection: string,
  rows: readonly VersionedDocument[],
  durability: Durability,
): Promise<void> {
  const writeConcern = durability === 'majority' ? BY_MAJORITY : { w: 1 }
  const upsert = (some: readonly VersionedDocument[]) => {
    const updates = some.map((row) => ({ q: olderThan(row), u: row, upsert: true }))
    return runRowCommand(db, { update: collection, updates, ordered: false, writeConcern })
  }
  const insert = async (some: readonly VersionedDocument[]) => {
    const there = await runRowCommand(db, { insert: collection, documents: some, ordered: false, writeConcern })
    // Nearly always as new or newer; but it may be of an older schema.
    if (there.length > 0) await upsert(there.map((index) => some[index]).filter((row) => row !== undefined))
  }
  const first = rows.filter(({ version }) => version === 1)
  const later = rows.filter(({ version }) => version > 1)
  await Promise.all([first.length > 0 && insert(first), later.length > 0 && upsert(later)])
}

/**
 * Runs an unordered command and answers the indexes of those that met a duplicate key: where rows are written, a row
 * of the same id is there.
 */
export async function runRowCommand(db: Db, command: Document): Promise<readonly number[]> {
  const { writeErrors = [] } = await db.command(command)
  const errors: readonly { index: number; code: number; errmsg: string }[] = writeErrors
  const serious = errors.find(({ code }) => code !== DUPLICATE_KEY)
  if (serious) throw new MongoServerError(serious)
  return errors.map(({ index }) => index)
}
