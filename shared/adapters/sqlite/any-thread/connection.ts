import { DatabaseSync } from 'node:sqlite'

/** So many pages of the write-ahead log are brought into the file together; whatever is appended waits for that. */
export const PAGES_PER_CHECKPOINT = 2000

/** The one connection that writes; everything it commits is on disk when COMMIT answers. */
export function openForWriting(file: string): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: 5000 })
  connection.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA checkpoint_fullfsync = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA wal_autocheckpoint = ${PAGES_PER_CHECKPOINT};
    PRAGMA journal_size_limit = 67108864;
    PRAGMA cache_size = -16000;
  `)
  return connection
}

/** A connection that only reads; in WAL mode it never waits for the writer. `cacheKilobytes` of pages are kept. */
export function openForReading(file: string, cacheKilobytes: number): DatabaseSync {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  connection.exec(`PRAGMA query_only = ON; PRAGMA cache_size = -${cacheKilobytes}; PRAGMA temp_store = MEMORY;`)
  return connection
}
