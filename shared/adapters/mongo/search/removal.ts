import { type Db, ObjectId } from 'mongodb'
import { BEGINNING } from '../../../event-sourcing/event.ts'
import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'
import { type SegmentCollections, segmentsOf } from './documents.ts'
import type { Manifest, Manifests } from './manifest.ts'

/** Longer than a reader can still be at segments of an older manifest, in milliseconds. */
const READERS_GONE = 60_000
/** Longer than anybody builds an index, in seconds. */
const BUILDERS_GONE = 3_600

/** Removes the segments that were retired long enough ago, and answers the manifest without them. */
export async function removeRetired<Some extends Manifest>(
  collections: SegmentCollections,
  manifest: Some,
): Promise<Some> {
  for (const { id } of manifest.retired.filter(isUnread)) {
    await collections.entries.deleteMany({ _id: { $gte: `${id}/`, $lt: `${id}0` } })
  }
  return { ...manifest, retired: manifest.retired.filter((segment) => !isUnread(segment)) }
}

function isUnread({ at }: { readonly at: number }): boolean {
  return Date.now() - at > READERS_GONE
}

/** A manifest without its segments: to whoever still goes by it all rows are news, to be found one by one. */
function retireAll({ segments, retired }: Manifest): Manifest {
  const now = Date.now()
  return { position: BEGINNING, segments: [], retired: [...retired, ...segments.map(({ id }) => ({ id, at: now }))] }
}

/**
 * Removes the indexes of older schemas of a view that has one of its own schema: first their segments are retired, and
 * when nobody can be reading them any more (usually with the next start but one), they go. Processes of an older
 * version find everything all the while; one that goes on will make its index again.
 */
export async function removeOlder(db: Db, manifests: Manifests, definition: AnyViewDefinition): Promise<void> {
  if ((await manifests.read(definition)) === undefined) return
  for (const schema of await manifests.olderSchemas(definition)) {
    const older = { ...definition, schema }
    const manifest = await manifests.read(older)
    if (manifest === undefined) continue
    if (manifest.segments.length > 0) await manifests.replace(older, manifest, retireAll(manifest))
    else if (manifest.retired.every(isUnread) && (await manifests.remove(manifest))) {
      await segmentsOf(db, older).entries.drop()
    }
  }
}

/** Removes what processes that died had built for a manifest that never came. */
export async function removeAbandoned({ entries }: SegmentCollections, manifest: Manifest | undefined): Promise<void> {
  const old = ObjectId.createFromTime(Math.floor(Date.now() / 1000) - BUILDERS_GONE).toHexString()
  const inUse = [...(manifest?.segments ?? []), ...(manifest?.retired ?? [])].map(({ id }) => id)
  const notInUse = inUse.length === 0 ? {} : { $not: new RegExp(`^(${inUse.join('|')})/`) }
  await entries.deleteMany({ _id: { $lt: old, ...notInUse } })
}
