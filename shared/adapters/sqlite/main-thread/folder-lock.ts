import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { toFailure } from '../any-thread/failures.ts'
import { identify } from '../any-thread/file-identity.ts'

/** The right of one process to a folder. */
export type FolderLock = ReturnType<typeof lockFolder>

/** Another process has the folder. */
export class FolderTaken extends Error {
  constructor(folder: string) {
    super(`another Mint is running on the folder ${folder}: stop it, or choose another folder (DATA_DIR)`)
    this.name = 'FolderTaken'
  }
}

const BUSY = 5

/**
 * Takes a folder for this process, making it when it is not there: a lock of the kernel (SQLite's, on the file `lock`),
 * so it never outlives its process. Throws FolderTaken when another process has it, and an Error of one line when the
 * folder can't be written.
 */
export function lockFolder(folder: string) {
  const path = join(folder, 'lock')
  let connection: DatabaseSync | undefined
  try {
    mkdirSync(folder, { recursive: true })
    connection = new DatabaseSync(path, { timeout: 0 })
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    connection?.close()
    const { message, code } = toFailure(error)
    if (((code ?? 0) & 0xff) === BUSY) throw new FolderTaken(folder)
    throw new Error(`the folder ${folder} can't be written (${message}): give this user the right, or choose another`)
  }
  const locked = connection
  /** Lets the next process in. A process that dies lets it in, too. */
  const release = (): void => {
    process.off('exit', release)
    if (locked.isOpen) locked.close()
  }
  // Also keeps the connection, and so the lock, from being collected as garbage where nobody holds on to it.
  process.on('exit', release)
  // A lock whose file was removed or replaced keeps nobody out.
  return { file: identify(path), release }
}
