import { ObjectId } from 'mongodb'
import type { SegmentCollections } from './documents.ts'
import type { Manifest } from './manifest.ts'

/** Longer than a reader can still be at segments of an older manifest, in milliseconds. */
const READERS_GONE = 60_000
/** Longer than anybody builds an index, in seconds. */
const BUILDERS_GONE = 3_600

/** Removes the segments that were retired long enough ago, and answers the manifest without them. */
export async function removeRetired<Some extends Manifest>(
  collections: SegmentCollections,
  manifest: Some,
): Promise<Some> {
  const now = Date.now()
  const isOver = ({ at }: { at: number }): boolean => now - at > READERS_GONE
  for (const { id } of manifest.retired.filter(isOver)) {
    await collections.entries.deleteMany({ _id: { $gte: `${id}/`, $lt: `${id}0` } })
  }
  return { ...manifest, retired: manifest.retired.filter((segment) => !isOver(segment)) }
}

/** Removes what processes that died had built for a manifest that never came. */
export async function removeAbandoned({ entries }: SegmentCollections, manifest: Manifest | undefined): Promise<void> {
  const old = ObjectId.createFromTime(Math.floor(Date.now() / 1000) - BUILDERS_GONE).toHexString()
  const inUse = [...(manifest?.segments ?? []), ...(manifest?.retired ?? [])].map(({ id }) => id)
  const notInUse = inUse.length === 0 ? {} : { $not: new RegExp(`^(${inUse.join('|')})/`) }
  await entries.deleteMany({ _id: { $lt: old, ...notInUse } })
}
