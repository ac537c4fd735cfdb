import type { Database } from './database.ts'
import { BEGINNING } from './event.ts'
import { FIRST_POSITION } from './inspection.ts'

/** The checkpoint that stands off the beginning while an import is not whole. */
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

export async function isImportUnfinished({ checkpoints }: Marked): Promise<boolean> {
  return (await checkpoints.read(CHECKPOINT)) !== BEGINNING
}

/** Throws an Error of one line when the database holds only a part of an import: it must not be served. */
export async function checkImportIsWhole(database: Marked, name: string): Promise<void> {
  if (!(await isImportUnfinished(database))) return
  throw new Error(
    `${name} holds an import that was interrupted: run \`mint import\` again with the same file, which goes on where it ` +
      'stopped, or remove the data.',
  )
}

/** Marks the database, durably. Undefined: another import is at work, or was killed some seconds ago. */
export async function markImport({ checkpoints }: Marked, importer: string): Promise<ImportMark | undefined> {
  const lease = await checkpoints.acquire(CHECKPOINT, importer, LEASE_MILLISECONDS)
  if (!lease) return undefined
  const takenOver = (still: boolean): void => {
    if (!still) throw new Error('another import has taken over')
  }
  takenOver(await lease.advance(FIRST_POSITION))
  return { renew: async () => takenOver(await lease.renew()), letGo: () => lease.release() }
}

/** The import is whole. */
export async function unmarkImport({ checkpoints }: Marked): Promise<void> {
  await checkpoints.reset(CHECKPOINT)
}
