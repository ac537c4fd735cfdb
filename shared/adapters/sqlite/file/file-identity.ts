import { lstatSync, statSync } from 'node:fs'

/**
 * Returns a function that throws once the path refers to another file than now, or to none: anything then written to the
 * open file is lost when the process ends, and a lock on it protects nothing. SQLite itself checks this only in its older
 * journal modes; the error has the code that it uses (https://sqlite.org/rescode.html#readonly_dbmoved).
 */
export function checkingIdentity(path: string): () => void {
  const identity = identityOf(path)
  return () => {
    if (identityOf(path) !== identity) throw movedAway(`${path} was moved or removed while it was open`)
  }
}

/** The error for a file that this process must no longer write. */
export function movedAway(message: string): Error {
  return Object.assign(new Error(message), { errcode: READONLY_DBMOVED })
}

export const READONLY_DBMOVED = 8 | (4 << 8)

/** Throws a one-line Error for a symbolic link: whoever created it would choose which file is written. */
export function checkIsNoLink(path: string): void {
  if (!isLink(path)) return
  const remedy = 'put the file itself in its place, or remove the link.'
  throw new Error(`${path} is a symbolic link, which Mint doesn't write through: ${remedy}`)
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    // Whatever is wrong with the path is reported when it is opened.
    return false
  }
}

/** Device and inode of a file; undefined: there is none. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
