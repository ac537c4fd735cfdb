import { DatabaseSync } from 'node:sqlite'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { STORED_EVENT } from '../../shared/adapters/sqlite/log/log-tables.ts'
import { shapeOf } from '../../shared/adapters/sqlite/views/view-shape.ts'
import { viewTables } from '../../shared/adapters/sqlite/views/view-tables.ts'
import { jobs } from './jobs.ts'

/** When the first job was created; each of the others follows a second after the previous one. */
const FIRST_CREATED = Date.UTC(2000, 0, 1)
const KINDS = ['Tax', 'Accounts', 'Payroll', 'Audit', 'Advice', 'Founding', 'Estate']
const CLIENTS = 5000
/** One job in this many is rare. */
export const RARE = 2000

/** How many days after 2000-01-01 job `number` is due: up to ten years. */
export const dueDayOf = (number: number): number => (number * 7919) % 3650

export const MAX_HOURS = 1_000_000

/** How many hours job `number` took: below MAX_HOURS, and unique among a million jobs. */
export const hoursOf = (number: number): number => (number * 48_271) % MAX_HOURS

/** The client of job `number`. */
export const clientOf = (number: number): string => `client ${number % CLIENTS}`

/**
 * Fills a new SQLite file with jobs 1 to `count`, each with its event and row: straight into the tables, with the
 * indexes built at the end, which takes a fraction of the time of appends (some 15 s for a million). Titles are like
 * `Payroll 3`, every second one like `Payroll 2 done`, every 2,000th like `Payroll 2000 done rare`.
 */
export async function fillWithJobs(file: string, count: number): Promise<void> {
  const database = await openSqliteDatabase({ file, views: [jobs] })
  await database.close()
  const connection = new DatabaseSync(file)
  const { rows, texts, search, counts } = viewTables(shapeOf(jobs), 1)
  connection.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -100000; BEGIN')
  const makeIndexes = takeIndexesAway(connection, ['events', texts])
  connection.exec(`
    CREATE TEMP VIEW fill AS
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count}),
      jobs AS (
        SELECT n, ${FIRST_CREATED} + n * 1000 AS at, 'client ' || (n % ${CLIENTS}) AS client,
          CASE n % ${KINDS.length} ${KINDS.map((kind, index) => `WHEN ${index} THEN '${kind}'`).join(' ')} END AS kind,
          date(946684800 + (n * 7919) % 3650 * 86400, 'unixepoch') AS due, n * 48271 % 1000000 AS hours
        FROM numbers
      )
      SELECT *, kind || ' ' || n || iif(n % 2 = 0, ' done', '') || iif(n % ${RARE} = 0, ' rare', '') AS title, (at << 21) + 1048576 AS key FROM jobs;
    INSERT INTO events (${STORED_EVENT}) SELECT n, 'job', n, 1, 'JobCreated.v1',
      json_object('client', client, 'kind', kind, 'title', title, 'due', due, 'hours', hours), at, 'ann', NULL, 'request', 'commit-' || n, 0, 1, NULL
      FROM fill;
    INSERT INTO ${rows} (key, id, version, at, state)
      SELECT key, n, 1, at, json_array(client, kind, title, due, hours, at) FROM fill;
    INSERT INTO ${texts} (key, filter_client, filter_kind, range_due, range_hours, text)
      SELECT key, client, kind, due, hours, lower(title || char(10) || kind) FROM fill;
    INSERT INTO ${search} (${search}) VALUES ('rebuild');
    DELETE FROM ${counts};
    INSERT INTO ${counts} (first, rows) SELECT min(key), count(*) FROM ${texts} GROUP BY (key >> 21) / (1000 * 1024);
    UPDATE ${counts} SET first = -9223372036854775807 - 1 WHERE first = (SELECT min(first) FROM ${counts});
    INSERT INTO sequences VALUES ('job', ${count});
  `)
  makeIndexes()
  connection.exec('COMMIT')
  connection.close()
}

/** Drops the tables' indexes and returns a function that rebuilds them, which is faster than updating them. */
function takeIndexesAway(connection: DatabaseSync, tables: readonly string[]): () => void {
  const named = `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?`
  const found = tables.flatMap((table) => connection.prepare(named).all(table))
  for (const { name } of found) connection.exec(`DROP INDEX ${name}`)
  return () => {
    for (const { sql } of found) connection.exec(String(sql))
  }
}
