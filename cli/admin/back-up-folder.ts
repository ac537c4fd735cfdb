import { copyFileSync, existsSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { copyDatabase, readCheckpoints, rewindCheckpoints } from '../../shared/adapters/sqlite/file/backup.main.ts'
import { makeFolder } from '../../shared/adapters/sqlite/file/folder-lock.main.ts'
import { onInterrupt } from '../exit.ts'
import { checkIsWhole, checkThatDataIsThere, inFolder, markAsIncomplete } from '../start/usable-folder.ts'
import { WEBHOOK_KEY_FILE } from '../start/webhook-key.ts'

/**
 * The databases in a DATA_DIR. Copied in this order: the businesses' log may then be ahead of the contracts database, and
 * the relay delivers what is missing. In the opposite order, there could be a Client without its business. The gateway's
 * comes first, because a webhook's position in a log must not be beyond its end.
 */
export const DATABASES = ['gateway.db', 'contracts.db', 'businesses.db']

/**
 * Copies all data of a folder into another one, which is empty or doesn't exist yet, while Mint may keep writing. The
 * copy is a DATA_DIR that Mint can be started on. Throws an Error with a one-line message, also a CommandFailure.
 *
 * The copy gets the relay's checkpoint from before the contracts database was copied, so that the relay publishes again
 * whatever that database may have missed.
 */
export async function backUpFolder(from: string, to: string): Promise<void> {
  checkThatDataIsThere(from)
  checkIsWhole(from)
  const names = DATABASES.filter((name) => existsSync(join(from, name)))
  const empty = makeEmptyFolder(to, 'backup')
  using _interrupted = onInterrupt(empty)
  try {
    const complete = markAsIncomplete(to, 'backup')
    await inFolder(from, async () => {
      const checkpoints = readCheckpoints(join(from, 'businesses.db'))
      for (const name of names) await copyDatabase(join(from, name), join(to, name))
      const key = join(from, WEBHOOK_KEY_FILE)
      if (existsSync(key)) copyFileSync(key, join(to, WEBHOOK_KEY_FILE))
      rewindCheckpoints(join(to, 'businesses.db'), checkpoints)
    })
    complete()
  } catch (error) {
    empty()
    throw error
  }
}

/** The size of the databases in a folder, as far as this user may see them, without their write-ahead logs. */
export function megabytesIn(folder: string): number {
  const sizes = DATABASES.map((name) => statsOf(join(folder, name))?.size ?? 0)
  return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1_000_000)
}

/** What is known of a file; undefined: there is none, or this user may not see it. */
export function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file)
  } catch {
    return undefined
  }
}

/**
 * Makes a folder for a copy of all data, if there is none, only for this user. Returns a function that empties it again,
 * for when the copy fails: Mint would start on a partial one. Throws an Error unless the folder is empty.
 */
export function makeEmptyFolder(folder: string, purpose: 'backup' | 'fork'): () => void {
  try {
    makeFolder(folder, 0o700)
  } catch (cause) {
    throw new Error(`${folder} can't be created (${(cause as Error).message}): name a folder somewhere else`, { cause })
  }
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty: name a new folder for each ${purpose}.`)
  return () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true })
  }
}
