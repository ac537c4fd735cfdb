import type { Db, Document } from 'mongodb'
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
  const first = rows.filter(({ version }) => version === 1)
  const later = rows.filter(({ version }) => version > 1)
  await Promise.all([
    first.length > 0 && runRowCommand(db, { insert: collection, documents: first, ordered: false, writeConcern }),
    later.length > 0 &&
      runRowCommand(db, { update: collection, updates: later.map(upsert), ordered: false, writeConcern }),
  ])
}

function upsert(row: VersionedDocument): Document {
  return { q: olderThan(row), u: row, upsert: true }
}

/** A duplicate key means that a row as new, or newer, is there already. */
export async function runRowCommand(db: Db, command: Document): Promise<void> {
  const { writeErrors = [] } = await db.command(command)
  const serious = (writeErrors as { code: number; errmsg: string }[]).find(({ code }) => code !== DUPLICATE_KEY)
  if (serious) throw new Error(`MongoDB refused a row: ${serious.errmsg}`)
}
