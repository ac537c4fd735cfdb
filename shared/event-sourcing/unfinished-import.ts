import { BEGINNING } from './event.ts'
import type { Database } from './ports/database.ts'

/** Times of imports: when the latest began, the same time once it is complete, and the start of each, by its export's id. */
const TIMES = 'import'
const BEGUN = 'begun'
const WHOLE = 'whole'
/** The checkpoint whose lease excludes other imports; it never advances. */
const CHECKPOINT = 'import'
/** How long after its last renewal another process may resume an import. */
const LEASE_MILLISECONDS = 15_000

type Marked = Pick<Database, 'latestTimes' | 'checkpoints'>

/** An import in progress in one database. */
export interface ImportMark {
  /** Excludes other imports for some more seconds. Throws when another one has taken over. */
  renew(): Promise<void>
  /** Lets another process resume this import; the database stays marked. */
  release(): Promise<void>
}

/** Whether the database contains an incomplete import. Throws StoreUnavailable. */
export async function isImportUnfinished(database: Marked): Promise<boolean> {
  const [times, marked] = await Promise.all([
    database.latestTimes(TIMES).read([BEGUN, WHOLE]),
    // Mint 0.1 marked it this way.
    database.checkpoints.read(CHECKPOINT),
  ])
  return times.get(BEGUN) !== times.get(WHOLE) || marked !== BEGINNING
}

/** Throws an Error with a one-line message when the database contains an incomplete import and must not be served. */
export async function checkImportIsWhole(database: Marked, name: string): Promise<void> {
  if (!(await isImportUnfinished(database))) return
  throw new Error(
    `${name} holds an import that was interrupted: run \`cli/mint import\` again with the same file, which resumes where ` +
      'it stopped, or remove the data of this import (docs/cli.md says how).',
  )
}

/**
 * Durably marks the database for the import of one export by one process, the holder. `busy`: another import is in
 * progress, or was killed seconds ago; `another`: the interrupted import is of another export.
 */
export async function markImport(
  database: Marked,
  { exportId, holder }: { readonly exportId: string; readonly holder: string },
): Promise<ImportMark | 'busy' | 'another'> {
  const lease = await database.checkpoints.acquire(CHECKPOINT, holder, LEASE_MILLISECONDS)
  if (!lease) return 'busy'
  const times = database.latestTimes(TIMES)
  if ((await isImportUnfinished(database)) && !(await times.read([exportId])).has(exportId)) {
    await lease.release()
    return 'another'
  }
  async function renew(): Promise<void> {
    if (!(await lease?.renew())) throw new Error('another import has taken over')
  }
  // After that of an earlier import, even if the clock was set back since.
  const now = Math.max(Date.now(), ((await times.read([WHOLE])).get(WHOLE) ?? 0) + 1)
  await times.raise(
    new Map([
      [BEGUN, now],
      [exportId, now],
    ]),
  )
  await renew()
  return { renew, release: () => lease.release() }
}

/** Marks the import as complete. */
export async function unmarkImport(database: Marked): Promise<void> {
  const times = database.latestTimes(TIMES)
  const begun = (await times.read([BEGUN])).get(BEGUN)
  if (begun !== undefined) await times.raise(new Map([[WHOLE, begun]]))
}
