import type { Binary, Collection, Db } from 'mongodb'
import type { Position } from '../../../event-sourcing/event.ts'
import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'
import { isDuplicateKey } from '../availability.ts'
import { MAJORITY_COLLECTION } from '../majority.ts'

/** A part of a search index, never changed but for which of its rows have moved to a later one. */
export interface Segment {
  readonly id: string
  /** How many rows it was made with. */
  readonly size: number
  /** Creation times of its oldest and newest row, in milliseconds since the epoch. */
  readonly oldest: number
  readonly newest: number
  /** The first gram of each of its grams documents, separated by NUL. */
  readonly firstGrams: string
  /** A bit for each row whose texts have changed since. */
  readonly outdated?: Binary
}

/**
 * What a view's search index is made of, in one document: whoever reads it has rows each in one segment, as they were
 * when the log stood at `position` or later.
 */
export interface Manifest {
  readonly position: Position
  readonly segments: readonly Segment[]
  /** Segments that are in no use any more, and since when: readers of an older manifest may still be at them. */
  readonly retired: readonly { readonly id: string; readonly at: number }[]
}

export interface StoredManifest extends Manifest {
  readonly _id: string
  /** Another one with every change. */
  readonly revision: number
}

export interface Manifests {
  /** undefined: the view has no search index yet. */
  read(definition: AnyViewDefinition): Promise<StoredManifest | undefined>
  /** Puts one in the place of what was read. False when that has changed since: nothing was written. */
  replace(definition: AnyViewDefinition, before: StoredManifest | undefined, manifest: Manifest): Promise<boolean>
  /** Takes one away. False when it has changed since it was read: it is still there. */
  remove(manifest: StoredManifest): Promise<boolean>
  /** Schemas of a view, older than the definition's, that there are manifests of. */
  olderSchemas(definition: AnyViewDefinition): Promise<readonly number[]>
}

/** Manifests are read and written by majority: one that was seen once is never rolled back. */
export function createManifests(db: Db): Manifests {
  const collection: Collection<StoredManifest> = db.collection('search_manifests', MAJORITY_COLLECTION)
  return {
    async read({ name, schema }) {
      return (await collection.findOne({ _id: `${name}@${schema}` })) ?? undefined
    },
    async replace({ name, schema }, before, { position, segments, retired }) {
      const document = { _id: `${name}@${schema}`, revision: (before?.revision ?? 0) + 1, position, segments, retired }
      if (before === undefined) return await insertFirst(collection, document)
      const { _id, revision } = before
      return (await collection.replaceOne({ _id, revision }, document)).matchedCount === 1
    },
    async remove({ _id, revision }) {
      return (await collection.deleteOne({ _id, revision })).deletedCount === 1
    },
    async olderSchemas({ name, schema }) {
      const prefix = `${name}@`
      const known = await collection.find({ _id: { $regex: `^${prefix}` } }, { projection: { _id: 1 } }).toArray()
      return known.map(({ _id }) => Number(_id.slice(prefix.length))).filter((one) => one < schema)
    },
  }
}

async function insertFirst(collection: Collection<StoredManifest>, document: StoredManifest): Promise<boolean> {
  try {
    await collection.insertOne(document)
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}
