import { BSON, type Db, type Document, MongoServerError } from 'mongodb'
import { DUPLICATE_KEY } from '../availability.ts'
import { BY_MAJORITY } from '../majority.ts'
import type { VersionedDocument } from './view-row.ts'

/** `memory`: the primary has it, and a change of primary may undo it. `majority`: nothing undoes it. */
export type Durability = 'memory' | 'majority'

/** A view's collection, by its name, and how durable its rows are to be. */
export interface RowTarget {
  readonly db: Db
  readonly collection: string
  readonly durability: Durability
}

/**
 * Writes rows into a view's collection, each unless a newer one stands there: first versions by insert, others by
 * guarded upsert. Throws the driver's errors; rows of a call that failed may have been written or not, and can be
 * written again at any time.
 */
export async function writeRows(target: RowTarget, rows: readonly VersionedDocument[]): Promise<void> {
  const insert = async (documents: readonly VersionedDocument[]) => {
    const there = await runOnRows(target, documents, (part) => ({ insert: target.collection, documents: part }))
    // Nearly always as new or newer; but it may be of an older schema.
    if (there.length > 0) await upsertRows(target, there)
  }
  const first = rows.filter(({ version }) => version === 1)
  const later = rows.filter(({ version }) => version > 1)
  await Promise.all([first.length > 0 && insert(first), later.length > 0 && upsertRows(target, later)])
}

/** Writes each row unless one that is newer, or as new, stands there. */
export async function upsertRows(target: RowTarget, rows: readonly VersionedDocument[]): Promise<void> {
  let rest = rows
  while (rest.length > 0) {
    // A duplicate is a row that somebody made between the server's look for it and its insert: now it is found.
    rest = await runOnRows(target, rest, (part) => ({
      update: target.collection,
      updates: part.map((row) => ({ q: { _id: row._id }, u: unlessAsNew(row), upsert: true })),
    }))
  }
}

/**
 * An update of one row by its id alone, with the guard inside: the server goes straight to the row, in 60 % of the
 * processor time of a query with the guard in it.
 */
function unlessAsNew(row: VersionedDocument): Document[] {
  const { schema, version } = row
  const isOlder = {
    // Where there is no row yet, both are missing, and less than any number.
    $or: [{ $lt: ['$schema', schema] }, { $and: [{ $eq: ['$schema', schema] }, { $lt: ['$version', version] }] }],
  }
  return [{ $replaceWith: { $cond: [isOlder, { $literal: row }, '$$ROOT'] } }]
}

/** Puts each row in the place of one of the same version that says something else. */
export async function replaceRows(target: RowTarget, rows: readonly VersionedDocument[]): Promise<void> {
  await runOnRows(target, rows, (part) => ({
    update: target.collection,
    updates: part.map((row) => ({ q: { _id: row._id, schema: row.schema, version: row.version }, u: row })),
  }))
}

/**
 * Runs an unordered command on rows, in as many parts as their size asks for, and answers those that met a duplicate
 * key: where rows are written, a row of the same id is there.
 */
async function runOnRows(
  { db, durability }: RowTarget,
  rows: readonly VersionedDocument[],
  toCommand: (part: readonly VersionedDocument[]) => Document,
): Promise<readonly VersionedDocument[]> {
  const writeConcern = durability === 'majority' ? BY_MAJORITY : { w: 1 }
  const met: VersionedDocument[] = []
  for (const part of inParts(rows)) {
    const { writeErrors = [] } = await db.command({ ...toCommand(part), ordered: false, writeConcern })
    const errors: readonly { index: number; code: number; errmsg: string }[] = writeErrors
    const serious = errors.find(({ code }) => code !== DUPLICATE_KEY)
    if (serious) throw new MongoServerError(serious)
    met.push(...errors.map(({ index }) => part[index]).filter((row) => row !== undefined))
  }
  return met
}

/** A part's size: far below the server's 16 MB for one command. */
const MAX_PART_BYTES = 8_000_000
/** What an upsert takes besides its row, at the most. */
const COMMAND_BYTES = 400

/** The rows in their order, each part as large as may be, but of one row at the least. */
function* inParts(rows: readonly VersionedDocument[]): Generator<readonly VersionedDocument[]> {
  let part: VersionedDocument[] = []
  let bytes = 0
  for (const row of rows) {
    const size = BSON.calculateObjectSize(row, { ignoreUndefined: true }) + COMMAND_BYTES
    if (part.length > 0 && bytes + size > MAX_PART_BYTES) {
      yield part
      part = []
      bytes = 0
    }
    part.push(row)
    bytes += size
  }
  if (part.length > 0) yield part
}
