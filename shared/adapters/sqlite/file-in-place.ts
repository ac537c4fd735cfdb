import { statSync } from 'node:fs'

/**
 * Remembers which file a path leads to. The function answered throws once the path leads to another file or to none:
 * what is written to the open one then is gone when the process ends. SQLite itself looks for that in its older journal
 * modes only, and this is the code that it has then (https://sqlite.org/rescode.html#readonly_dbmoved).
 */
export function rememberPlace(path: string): () => void {
  const opened = identityOf(path)
  return () => {
    if (identityOf(path) === opened) return
    throw Object.assign(new Error(`${path} was moved or removed while it was open`), { errcode: READONLY_DBMOVED })
  }
}

const READONLY_DBMOVED = 8 | (4 << 8)

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
