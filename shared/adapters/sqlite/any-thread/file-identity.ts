import { statSync } from 'node:fs'

/** Which file a path led to. */
export interface FileIdentity {
  readonly path: string
  /** Of the file on its file system; undefined: there was none. */
  readonly identity: string | undefined
}

/** Remembers which file a path leads to now. */
export function identify(path: string): FileIdentity {
  return { path, identity: identityOf(path) }
}

/**
 * Throws once the path leads to another file or to none: what is written to the open one then is gone when the process
 * ends, and a lock on it keeps nobody out. SQLite itself looks for that in its older journal modes only, and this is the
 * code that it has then (https://sqlite.org/rescode.html#readonly_dbmoved).
 */
export function checkIdentity({ path, identity }: FileIdentity): void {
  if (identityOf(path) !== identity) throw movedAway(`${path} was moved or removed while it was open`)
}

/** The error of a file that this process must not write any more. */
export function movedAway(message: string): Error {
  return Object.assign(new Error(message), { errcode: READONLY_DBMOVED })
}

/** SQLite's code for it. */
export const READONLY_DBMOVED = 8 | (4 << 8)

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
