import type { Collection, Db, Document } from 'mongodb'
import { BEGINNING, type Position } from '../../event-sourcing/event.ts'
import type { Lease, LeasedCheckpoints } from '../../event-sourcing/ports/leased-checkpoints.ts'
import { isDuplicateKey, orUnavailable } from './connection/availability.ts'
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

/** Whether any process has the lease of a checkpoint now. */
export async function isLeaseHeld(db: Db, name: string): Promise<boolean> {
  const held = { _id: name, holder: { $ne: '' }, $expr: { $gt: ['$expiresAt', '$$NOW'] } }
  return (await collectionOf(db).countDocuments(held, { limit: 1 })) > 0
}

/** Leases use the server's clock, so the processes' clocks need not agree. */
export function createLeasedCheckpoints(db: Db): LeasedCheckpoints {
  const collection = collectionOf(db)

  async function ensure(name: string): Promise<void> {
    const fresh = { position: BEGINNING, epoch: 0, holder: '', expiresAt: new Date(0) }
    await collection.updateOne({ _id: name }, { $setOnInsert: fresh }, { upsert: true }).catch((error) => {
      if (!isDuplicateKey(error)) throw error
    })
  }

  async function acquire(name: string, holder: string, ttl: number): Promise<Lease | undefined> {
    await ensure(name)
    const free = { $or: [{ holder }, { $expr: { $lte: ['$expiresAt', '$$NOW'] } }] }
    const taken = { holder: { $literal: holder }, epoch: { $add: ['$epoch', 1] }, expiresAt: expiry(ttl) }
    const document = await collection.findOneAndUpdate({ _id: name, ...free }, [{ $set: taken }], {
      returnDocument: 'after',
    })
    return document === null ? undefined : createLease(collection, document, ttl)
  }

  return {
    acquire: (name, holder, ttl) => orUnavailable(acquire(name, holder, ttl)),
    async read(name) {
      return (await orUnavailable(collection.findOne({ _id: name })))?.position ?? BEGINNING
    },
    async reset(name) {
      await orUnavailable(ensure(name))
      // A new epoch, so that the current holder can't move it forward again.
      const reset = { $set: { position: BEGINNING, expiresAt: new Date(0) }, $inc: { epoch: 1 } }
      await orUnavailable(collection.updateOne({ _id: name }, reset))
    },
  }
}

function createLease(
  collection: Collection<LeaseDocument>,
  { _id, epoch, position }: LeaseDocument,
  ttl: number,
): Lease {
  async function update(change: Document): Promise<boolean> {
    const { matchedCount } = await orUnavailable(collection.updateOne({ _id, epoch }, [{ $set: change }]))
    return matchedCount === 1
  }
  return {
    position,
    advance: (reached) => update({ position: { $max: ['$position', reached] }, expiresAt: expiry(ttl) }),
    renew: () => update({ expiresAt: expiry(ttl) }),
    async release() {
      await update({ expiresAt: new Date(0) })
    },
  }
}

function expiry(ttlMilliseconds: number): Document {
  return { $add: ['$$NOW', ttlMilliseconds] }
}
