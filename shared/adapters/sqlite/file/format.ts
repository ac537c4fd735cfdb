import { DatabaseSync } from 'node:sqlite'
import { CREATE_APPLIED } from '../following/applied-commit.ts'
import { ADD_TRACEPARENT, CREATE_DOCUMENTS, CREATE_LATEST_TIMES, CREATE_LOG_TABLES } from '../log/log-tables.ts'
import { CREATE_VIEWS } from '../views/stored-views.ts'

/** Marks the file as Mint's (`PRAGMA application_id`): the bytes of `Mint`. */
const APPLICATION_ID = 0x4d696e74

/**
 * The script that migrates to each format from the one before; the first creates format 1 in an empty file. View tables
 * are never migrated: CREATE_VIEWS forgets them all, so that they are rebuilt from the log. Formats 3, 6 and 7 changed
 * only view tables.
 */
const MIGRATIONS = [
  CREATE_LOG_TABLES,
  CREATE_LATEST_TIMES,
  '',
  CREATE_APPLIED,
  CREATE_VIEWS,
  '',
  '',
  CREATE_DOCUMENTS,
  ADD_TRACEPARENT,
]

/** The format of this version of Mint. */
export const FORMAT = MIGRATIONS.length

/**
 * Brings the file to the current format (`PRAGMA user_version`): initialises an empty file, migrates an older one.
 * Throws a one-line Error for a newer format and for a file that isn't Mint's.
 */
export function bringToCurrentFormat(connection: DatabaseSync, file: string): void {
  const pragma = (name: string) => Number(connection.prepare(`PRAGMA ${name}`).get()?.[name])
  const format = pragma('user_version')
  const application = pragma('application_id')
  const isEmpty = connection.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
  if (application !== APPLICATION_ID && !(isEmpty && application === 0)) {
    throw new Error(`${file} is not a database of Mint: choose another folder, or move the file away`)
  }
  if (format > FORMAT) {
    throw new Error(`${file} has format ${format}, this version of Mint reads up to ${FORMAT}: start the newer version`)
  }
  for (let next = format; next < FORMAT; next++) {
    const marks = `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${next + 1}`
    connection.exec(`BEGIN IMMEDIATE; ${MIGRATIONS[next]}; ${marks}; COMMIT`)
  }
}

/** Creates a database without any data. */
export function createEmptyDatabase(file: string): void {
  using connection = new DatabaseSync(file)
  bringToCurrentFormat(connection, file)
}
