import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { toFailure } from './failures.ts'
import { checkIsNoLink, checkingIdentity } from './file-identity.ts'

/** One process's exclusive right to a folder. */
export type FolderLock = ReturnType<typeof lockFolder>

/** Another process holds the folder's lock. */
export class FolderTaken extends Error {
  constructor(folder: string) {
    super(`another Mint, or a command, is using the folder ${folder}: stop it, or choose another folder (DATA_DIR).`)
    this.name = 'FolderTaken'
  }
}

const BUSY = 5

/**
 * Locks a folder for this process; if necessary, creates it for this user alone. The kernel holds the lock (SQLite's, on
 * the file `lock`), so it never outlives its process. Throws FolderTaken when another process has locked the folder, and
 * a one-line Error when it can't be written.
 */
export function lockFolder(folder: string) {
  const path = join(folder, 'lock')
  checkIsNoLink(path)
  let connection: DatabaseSync | undefined
  try {
    makeFolder(folder, 0o700)
    connection = new DatabaseSync(path, { timeout: 0 })
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    // SQLite only shares the lock of a file that this user may not write, such as one that root's command has created.
    accessSync(path, constants.W_OK)
  } catch (error) {
    connection?.close()
    const { message, code } = toFailure(error)
    if (((code ?? 0) & 0xff) === BUSY) throw new FolderTaken(folder)
    throw new Error(`the folder ${folder} can't be written (${message}): grant this user access, or choose another`)
  }
  const locked = connection
  /** Unlocks the folder for the next process. The kernel does the same when this process dies. */
  const release = (): void => {
    process.off('exit', release)
    if (locked.isOpen) locked.close()
  }
  // Also keeps the connection, and with it the lock, from being garbage-collected.
  process.on('exit', release)
  return {
    /** Throws once the lock's file was removed or replaced: it then protects nothing. */
    check: checkingIdentity(path),
    release,
  }
}

/**
 * Creates the folder and its missing parents, with this mode. Throws the system's error. Node's own recursive mkdir
 * never returns if the system claims that an existing parent is missing (as in /proc).
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (isFolder(folder)) return
  const above = dirname(resolve(folder))
  if (!isFolder(above)) makeFolder(above, mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(folder)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
