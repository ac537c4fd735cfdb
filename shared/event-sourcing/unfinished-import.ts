import { BEGINNING, type Position } from './event.ts'
import type { Database } from './ports/database.ts'

/** The checkpoint that stands off the beginning while an import is not whole: no place in a log, but its number. */
const CHECKPOINT = 'import'
/** How long an import may be silent before another one may go on, in milliseconds. */
const LEASE_MILLISECONDS = 15_000

type Marked = Pick<Database, 'checkpoints'>

/** An import under way in one database. */
export interface ImportMark {
  /** Keeps other imports out for some more seconds. Throws when another one has taken over. */
  renew(): Promise<void>
  /** Lets another import go on: the mark stays. */
  letGo(): Promise<void>
}

/** Whether the database holds a part of an import. Throws StoreUnavailable. */
export async function isImportUnfinished({ checkpoints }: Marked): Promise<boolean> {
  return (await checkpoints.read(CHECKPOINT)) !== BEGINNING
}

/** Throws an Error of one line when the database holds only a part of an import: it must not be served. */
export async function checkImportIsWhole(database: Marked, name: string): Promise<void> {
  if (!(await isImportUnfinished(database))) return
  throw new Error(
    `${name} holds an import that was interrupted: run \`cli/mint import\` again with the same file, which resumes where ` +
      'it stopped, or remove the data of this import (docs/cli.md says how).',
  )
}

/** Which export is imported (a whole number from 1 to 2^53), and which process does it. */
export interface Importer {
  readonly number: number
  readonly holder: string
}

/**
 * Marks the database, durably. `busy`: another import is at work, or was killed some seconds ago; `another`: the one
 * that was interrupted was of another export.
 */
export async function markImport(
  { checkpoints }: Marked,
  { number, holder }: Importer,
): Promise<ImportMark | 'busy' | 'another'> {
  const lease = await checkpoints.acquire(CHECKPOINT, holder, LEASE_MILLISECONDS)
  if (!lease) return 'busy'
  if (lease.position !== BEGINNING && lease.position !== number) {
    await lease.release()
    return 'another'
  }
  const takenOver = (still: boolean): void => {
    if (!still) throw new Error('another import has taken over')
  }
  takenOver(await lease.advance(number as Position))
  return { renew: async () => takenOver(await lease.renew()), letGo: () => lease.release() }
}

/** The import is whole. */
export async function unmarkImport({ checkpoints }: Marked): Promise<void> {
  await checkpoints.reset(CHECKPOINT)
}
