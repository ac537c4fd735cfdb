import type { Database } from './ports/database.ts'

/** Times of imports: when the latest began, the same again once it is whole, and by its id when each export's did. */
const TIMES = 'import'
const BEGUN = 'begun'
const WHOLE = 'whole'
/** The checkpoint whose lease keeps other imports out: it never moves. */
const CHECKPOINT = 'import'
/** How long an import may be silent before another one may resume it, in milliseconds. */
const LEASE_MILLISECONDS = 15_000

type Marked = Pick<Database, 'latestTimes'>

/** An import under way in one database. */
export interface ImportMark {
  /** Keeps other imports out for some more seconds. Throws when another one has taken over. */
  renew(): Promise<void>
  /** Lets another import resume this one: the mark stays. */
  letGo(): Promise<void>
}

/** Whether the database holds a part of an import. Throws StoreUnavailable. */
export async function isImportUnfinished(database: Marked): Promise<boolean> {
  const times = await database.latestTimes(TIMES).read([BEGUN, WHOLE])
  return times.get(BEGUN) !== times.get(WHOLE)
}

/** Throws an Error of one line when the database holds only a part of an import: it must not be served. */
export async function checkImportIsWhole(database: Marked, name: string): Promise<void> {
  if (!(await isImportUnfinished(database))) return
  throw new Error(
    `${name} holds an import that was interrupted: run \`cli/mint import\` again with the same file, which resumes where ` +
      'it stopped, or remove the data of this import (docs/cli.md says how).',
  )
}

/**
 * Durably marks the database for the import of one export by one process, the holder. `busy`: another import is in
 * progress, or was killed some seconds ago; `another`: the interrupted import was of another export.
 */
export async function markImport(
  database: Pick<Database, 'checkpoints' | 'latestTimes'>,
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
  const now = Date.now()
  await times.raise(
    new Map([
      [BEGUN, now],
      [exportId, now],
    ]),
  )
  await renew()
  return { renew, letGo: () => lease.release() }
}

/** The import is whole. */
export async function unmarkImport(database: Marked): Promise<void> {
  const times = database.latestTimes(TIMES)
  const begun = (await times.read([BEGUN])).get(BEGUN)
  if (begun !== undefined) await times.raise(new Map([[WHOLE, begun]]))
}
