import type { Collection, Db, Document } from 'mongodb'
import { BEGINNING, type Position } from '../../event-sourcing/event.ts'
import type { Lease, LeasedCheckpoints } from '../../event-sourcing/ports/leased-checkpoints.ts'
import { orUnavailable } from './connection/availability.ts'
import { MAJORITY_COLLECTION } from './connection/majority.ts'

interface LeaseDocument {
  /** Name of the checkpoint. */
  readonly _id: string
  readonly position: Position
  /** Increases whenever the lease changes hands: a former holder's epoch no longer matches. */
  readonly epoch: number
  readonly holder: string
  readonly expiresAt: Date
}

const collectionOf = (db: Db): Collection<LeaseDocument> => db.collection('leased_checkpoints', MAJORITY_COLLECTION)

/** No lease is granted for longer, in milliseconds. */
const LONGEST_TTL = 60_000

/** Whether any process has the lease of a checkpoint now. */
export async function isLeaseHeld(db: Db, name: string): Promise<boolean> {
  const held = { _id: name, holder: { $ne: '' }, $expr: { $gt: ['$expiresAt', '$$NOW'] } }
  return (await collectionOf(db).countDocuments(held, { limit: 1 })) > 0
}

/** Leases use the server's clock, so the processes' clocks need not agree. */
export function createLeasedCheckpoints(db: Db): LeasedCheckpoints {
  const collection = collectionOf(db)

  /** A single command, which also creates the checkpoint: processes that wait for a lease try again and again. */
  async function acquire(name: string, holder: string, ttl: number): Promise<Lease | undefined> {
    const isFree = { $or: [{ $eq: ['$holder', { $literal: holder }] }, { $lte: ['$expiresAt', '$$NOW'] }] }
    const taken = {
      position: { $ifNull: ['$position', BEGINNING] },
      epoch: { $add: [{ $ifNull: ['$epoch', 0] }, 1] },
      holder: { $literal: holder },
      expiresAt: expiry(ttl),
    }
    // One that lasts longer was granted before the server's clock was set back, maybe to a process that has died since.
    const kept = { expiresAt: { $min: ['$expiresAt', expiry(LONGEST_TTL)] } }
    const change = { $replaceWith: { $mergeObjects: ['$$ROOT', { $cond: [isFree, taken, kept] }] } }
    const options = { upsert: true, returnDocument: 'after' } as const
    const document = await collection.findOneAndUpdate({ _id: name }, [change], options)
    return document?.holder === holder ? createLease(collection, document, ttl) : undefined
  }

  return {
    acquire: (name, holder, ttl) => orUnavailable(acquire(name, holder, ttl)),
    async read(name) {
      return (await orUnavailable(collection.findOne({ _id: name })))?.position ?? BEGINNING
    },
    async reset(name) {
      // A new epoch, so that the current holder can't move it forward again.
      const reset = { $set: { position: BEGINNING, expiresAt: new Date(0), holder: '' }, $inc: { epoch: 1 } }
      await orUnavailable(collection.updateOne({ _id: name }, reset, { upsert: true }))
    },
  }
}

function createLease(
  collection: Collection<LeaseDocument>,
  { _id, epoch, position, expiresAt }: LeaseDocument,
  ttl: number,
): Lease {
  async function update(change: Document): Promise<boolean> {
    const { matchedCount } = await orUnavailable(collection.updateOne({ _id, epoch }, [{ $set: change }]))
    return matchedCount === 1
  }
  async function renew(): Promise<boolean> {
    const change = [{ $set: { expiresAt: expiry(ttl) } }]
    const renewed = await orUnavailable(
      collection.findOneAndUpdate({ _id, epoch }, change, { returnDocument: 'after' }),
    )
    expiresAt = renewed?.expiresAt ?? expiresAt
    return renewed !== null
  }
  return {
    position,
    expiresAt: () => expiresAt,
    advance: (reached) => update({ position: { $max: ['$position', reached] }, expiresAt: expiry(ttl) }),
    renew,
    async release() {
      // A new epoch, so that a renewal that arrives late doesn't take it again.
      await update({ expiresAt: new Date(0), epoch: { $add: ['$epoch', 1] } })
    },
  }
}

function expiry(ttlMilliseconds: number): Document {
  return { $add: ['$$NOW', ttlMilliseconds] }
}
