import type { DatabaseSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { EncodedVersion } from './encoded-version.ts'
import {
  type LedgerShape,
  type LedgerTables,
  labelsTable,
  ledgerTables,
  OPEN,
  type VersionsShape,
} from './ledger-tables.ts'

/** Writes what a view stores for every version. */
export interface VersionWriter {
  write(version: EncodedVersion): void
  /** Call it after the transaction was rolled back. */
  forget(): void
}

/** How many texts' codes are cached. */
const MAX_CODES = 10_000

/** The writer of what a view stores for every version; undefined if it stores nothing. */
export function createVersionWriter(
  connection: DatabaseSync,
  rows: string,
  versions: VersionsShape['versions'],
): VersionWriter | undefined {
  if (versions?.kind === 'ledger') return createLedgerWriter(connection, rows, versions)
  if (versions === undefined) return undefined
  const insert = connection.prepare(`INSERT INTO ${labelsTable(rows)} VALUES (?, ?, ?, ?, ?, ?)`)
  return { write: (version) => void insert.run(...version), forget: () => undefined }
}

/** Writes a view's ledger: a row for each version, which ends the interval of the version before. */
export function createLedgerWriter(connection: DatabaseSync, rows: string, shape: LedgerShape): VersionWriter {
  const tables = ledgerTables(rows, shape)
  const { versions, counted, late } = tables
  const values = ['id', 'version', 'at', ...counted, 'changed', 'until'].map(() => '?')
  const insert = connection.prepare(`INSERT INTO ${versions} VALUES (${values.join(', ')})`)
  // Not `UPDATE … RETURNING`, which opens a savepoint: FTS5 then flushes what it has buffered.
  const latestOf = connection.prepare(
    `SELECT version, changed, ${counted.join(', ')} FROM ${versions} WHERE id = ? ORDER BY version DESC LIMIT 1`,
  )
  latestOf.setReturnArrays(true)
  const end = connection.prepare(`UPDATE ${versions} SET until = ? WHERE id = ? AND version = ?`)
  const addLate = connection.prepare(`INSERT INTO ${late} DEFAULT VALUES`)
  // After a rollback it may be too high, which only makes some versions count as late that aren't.
  let latest = Number(connection.prepare(`SELECT max(at) AS at FROM ${versions}`).get()?.at ?? 0)
  const codes = createCodes(connection, tables)
  return {
    write(encoded) {
      const numbers = encoded.map((value) => (typeof value === 'string' ? codes.of(value) : value))
      const [id = 0, version = 0, at = 0, ...counts] = numbers
      const last = version === 1 ? undefined : (latestOf.get(id) as readonly number[] | undefined)
      const [ended, changed = version, ...before] = last ?? []
      if (ended !== undefined) end.run(Math.max(at, OPEN + 1), id, ended)
      const isSame = before.length > 0 && before.every((number, index) => number === counts[index])
      insert.run(...numbers, isSame ? changed : version, OPEN)
      if (at < latest) addLate.run()
      else latest = at
    },
    forget: codes.forget,
  }
}

/** The numbers that stand for texts. */
function createCodes(connection: DatabaseSync, { codes }: LedgerTables) {
  const find = connection.prepare(`SELECT code FROM ${codes} WHERE text = ?`)
  const insert = connection.prepare(`INSERT INTO ${codes} (text) VALUES (?)`)
  const known = new LRUCache<string, number>({ max: MAX_CODES })
  return {
    of(text: string): number {
      let code = known.get(text)
      if (code === undefined) {
        code = Number(find.get(text)?.code ?? insert.run(text).lastInsertRowid)
        known.set(text, code)
      }
      return code
    },
    forget: () => known.clear(),
  }
}
