import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { copyDatabase, readCheckpoints, setBackCheckpoints } from '../../shared/adapters/sqlite/main-thread/backup.ts'
import { makeFolder } from '../start/usable-folder.ts'

/**
 * In this order: the businesses' log may then be ahead of what the contracts' side knows of it, and the relay makes up
 * for that; the other way round, a Client would be there whose business is not.
 */
const DATABASES = ['contracts.db', 'businesses.db', 'gateway.db']

/**
 * Copies everything that Mint keeps in a folder into another one, empty or not there yet, while it may go on writing; the
 * copy is a DATA_DIR to start Mint on. Throws an Error of one line.
 *
 * The relay's checkpoint in the copy is the one from before the contracts' database was copied, so that it publishes
 * again whatever that database may have missed.
 */
export async function backUpFolder(from: string, to: string): Promise<void> {
  const names = DATABASES.filter((name) => existsSync(join(from, name)))
  if (!names.includes('contracts.db') || !names.includes('businesses.db')) {
    throw new Error(`${from} holds no data of Mint: name the folder that it keeps its data in`)
  }
  makeEmptyFolder(to)
  try {
    const checkpoints = readCheckpoints(join(from, 'businesses.db'))
    for (const name of names) await copyDatabase(join(from, name), join(to, name))
    setBackCheckpoints(join(to, 'businesses.db'), checkpoints)
  } catch (error) {
    // Half a backup must not be taken for one.
    for (const name of readdirSync(to)) rmSync(join(to, name))
    throw error
  }
}

/** The size of the databases in a folder, without what is still in their write-ahead logs. */
export function megabytesIn(folder: string): number {
  const sizes = DATABASES.map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
  return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1_000_000)
}

function makeEmptyFolder(folder: string): void {
  try {
    makeFolder(folder, 0o700)
  } catch (cause) {
    throw new Error(`${folder} can't be made (${(cause as Error).message}): name a folder in another place`, { cause })
  }
  if (readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty: name a folder of its own for each backup`)
}
