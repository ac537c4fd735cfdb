import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'
import { type FolderLock, FolderTaken, lockFolder, makeFolder } from '../file/folder-lock.main.ts'
import { removeCopies } from '../verify/copies.main.ts'
import { fingerprintOf } from '../views/view-shape.ts'

/** A folder with the view file of one process. */
export type ViewFolder = ReturnType<typeof takeViewFolder>

const VIEWS = 'views.db'

/**
 * Locks a folder for this process: `<folder>/<name>-<fingerprint>-<n>`, the first that no other process has locked.
 * Removes files of other definitions that no process uses any more. Throws a one-line Error when `folder` can't be
 * written.
 */
export function takeViewFolder(folder: string, name: string, definitions: readonly AnyViewDefinition[]) {
  const prefix = `${name}-${fingerprintOf(definitions)}-`
  removeAbandoned(folder, name, prefix)
  for (let n = 0; ; n++) {
    const own = join(folder, `${prefix}${n}`)
    const lock = tryLock(own)
    if (lock === undefined) continue
    const file = join(own, VIEWS)
    return {
      file,
      /** Removes the file, so that the views are rebuilt. */
      clear(): void {
        makeFolder(own, 0o700)
        removeFile(file)
      },
      /** Unlocks the folder, with its views, for the next process. */
      release: lock.release,
    }
  }
}

function tryLock(folder: string): FolderLock | undefined {
  try {
    return lockFolder(folder)
  } catch (error) {
    if (error instanceof FolderTaken) return undefined
    throw new Error(`VIEWS_DIR can't be used: ${(error as Error).message}`)
  }
}

function removeAbandoned(folder: string, name: string, current: string): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder)) {
    const isOfName = new RegExp(`^${name}-[0-9a-f]{12}-\\d+$`).test(entry)
    if (!isOfName || entry.startsWith(current)) continue
    const lock = tryLock(join(folder, entry))
    if (lock === undefined) continue
    // Its lock file stays: if it were removed, the next process could lock a new one while this process holds the old.
    removeFile(join(folder, entry, VIEWS))
    lock.release()
  }
}

function removeFile(file: string): void {
  removeCopies(file)
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}
