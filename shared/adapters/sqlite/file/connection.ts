import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A write-ahead log of this many pages triggers a checkpoint, which blocks appends while it runs. */
export const PAGES_PER_CHECKPOINT = 2000

/**
 * The only connection that writes; everything it commits is on disk when COMMIT returns. Temporary files are next to
 * the file, since a container may have no other folder to write to.
 */
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
    PRAGMA temp_store_directory = '${dirname(file).replaceAll("'", "''")}';
  `)
  return connection
}

/** A read-only connection; in WAL mode it never waits for the writer. `cacheKilobytes`: size of its page cache. */
export function openForReading(file: string, cacheKilobytes: number): DatabaseSync {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  connection.exec(`PRAGMA query_only = ON; PRAGMA cache_size = -${cacheKilobytes}; PRAGMA temp_store = MEMORY;`)
  return connection
}
