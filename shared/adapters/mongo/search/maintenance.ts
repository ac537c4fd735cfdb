import type { Collection, Db } from 'mongodb'
import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'
import type { CommitDocument } from '../log/commit-document.ts'
import { readOutlines } from '../log/log-outline.ts'
import { NOTHING_YET, type ViewCheckpoints } from '../views/view-checkpoints.ts'
import { buildSegments } from './build.ts'
import { segmentsOf } from './documents.ts'
import { enterNews } from './enter-news.ts'
import type { Manifest, Manifests, StoredManifest } from './manifest.ts'
import { removeAbandoned, removeRetired } from './removal.ts'
import type { SearchSettings } from './settings.ts'

/** Commits entered in one step, at the most. */
const STEP = 10_000

export interface MaintenanceParts {
  readonly db: Db
  readonly log: Collection<CommitDocument>
  readonly checkpoints: ViewCheckpoints
  readonly manifests: Manifests
  readonly settings: SearchSettings
}

/** Whether there is something to build or to enter. */
export async function isBehind(parts: MaintenanceParts, definition: AnyViewDefinition): Promise<boolean> {
  const { checkpoints, manifests, settings } = parts
  const view = (await checkpoints.read(definition)) ?? NOTHING_YET
  if (view.count < settings.from) return false
  const manifest = await manifests.read(definition)
  return manifest === undefined || view.position - manifest.position >= settings.eventsABatch
}

/** Builds the index where there is none yet, and enters everything up to the view's checkpoint. */
export async function bringUpToDate(
  parts: MaintenanceParts,
  definition: AnyViewDefinition,
  isStopping: () => boolean,
): Promise<void> {
  const manifest = await parts.manifests.read(definition)
  if (manifest === undefined) return await buildAnew(parts, definition)
  // Up to the view's checkpoint rows are complete, and nothing undoes them.
  const { position: end } = (await parts.checkpoints.read(definition)) ?? NOTHING_YET
  let before: StoredManifest | undefined = manifest
  while (before !== undefined && before.position < end && !isStopping()) {
    const after = await enterStep(parts, definition, before, end)
    if (!(await parts.manifests.replace(definition, before, after))) return
    before = await parts.manifests.read(definition)
  }
}

async function enterStep(
  { db, log, settings }: MaintenanceParts,
  definition: AnyViewDefinition,
  before: Manifest,
  end: number,
): Promise<Manifest> {
  const outlines = await readOutlines(log, before.position, STEP)
  const known = outlines.filter(({ lastPosition }) => lastPosition <= end)
  const ids = [...new Set(known.filter(({ category }) => category === definition.category).map(({ id }) => id))]
  const position = known.at(-1)?.lastPosition ?? before.position
  const cleared = await removeRetired(segmentsOf(db, definition), before)
  return await enterNews(db, definition, cleared, { ids, position }, settings.rowsASegment)
}

/** Puts an index made of the rows as they are now in the place of the one that is there. */
export async function buildAnew(
  { db, checkpoints, manifests, settings }: MaintenanceParts,
  definition: AnyViewDefinition,
): Promise<void> {
  await removeAbandoned(segmentsOf(db, definition), await manifests.read(definition))
  const { position } = (await checkpoints.read(definition)) ?? NOTHING_YET
  const segments = await buildSegments(db, definition, settings.rowsASegment)
  for (;;) {
    const before = await manifests.read(definition)
    const replaced = (before?.segments ?? []).map(({ id }) => ({ id, at: Date.now() }))
    const retired = [...(before?.retired ?? []), ...replaced]
    if (await manifests.replace(definition, before, { position, segments, retired })) return
  }
}
