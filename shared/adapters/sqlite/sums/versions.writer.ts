import type { DatabaseSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { EncodedVersion } from './encoded-version.ts'
import { type LedgerShape, type LedgerTables, labelsTable, ledgerTables, OPEN } from './ledger-tables.ts'

/** Writes what a view stores of every version. */
export interface VersionWriter {
  write(version: EncodedVersion): void
  /** Call it after the transaction was rolled back. */
  forget(): void
}

/** How many texts' codes are cached, at most. */
const CACHED_CODES = 10_000

/** Writes a view's ledger: a row for each version, which ends the interval of the version before. */
export function createLedgerWriter(connection: DatabaseSync, rows: string, shape: LedgerShape): VersionWriter {
  const tables = ledgerTables(rows, shape)
  const { versions, counted, late } = tables
  const values = ['id', 'version', 'at', ...counted, 'changed', 'until'].map(() => '?')
  const insert = connection.prepare(`INSERT INTO ${versions} VALUES (${values.join(', ')})`)
  const end = connection.prepare(
    `UPDATE ${versions} SET until = ? WHERE id = ? AND until = ${OPEN} RETURNING changed, ${counted.join(', ')}`,
  )
  end.setReturnArrays(true)
  const insertLate = connection.prepare(`INSERT INTO ${late} (id, version, at) VALUES (?, ?, ?)`)
  // After a rollback it may be too high, which only makes versions count as late that are not.
  let latest = Number(connection.prepare(`SELECT max(at) AS at FROM ${versions}`).get()?.at ?? 0)
  const codes = createCodes(connection, tables)
  return {
    write(encoded) {
      const numbers = encoded.map((value) => (typeof value === 'string' ? codes.of(value) : value))
      const [id = 0, version = 0, at = 0, ...counts] = numbers
      const ended = version === 1 ? undefined : (end.get(Math.max(at, OPEN + 1), id) as readonly number[] | undefined)
      const [changed = version, ...before] = ended ?? []
      const isSame = before.length > 0 && before.every((number, index) => number === counts[index])
      insert.run(...numbers, isSame ? changed : version, OPEN)
      if (at < latest) insertLate.run(id, version, at)
      else latest = at
    },
    forget: codes.forget,
  }
}

/** The numbers that stand for texts. */
function createCodes(connection: DatabaseSync, { codes }: LedgerTables) {
  const find = connection.prepare(`SELECT code FROM ${codes} WHERE text = ?`)
  const insert = connection.prepare(`INSERT INTO ${codes} (text) VALUES (?) RETURNING code`)
  const known = new LRUCache<string, number>({ max: CACHED_CODES })
  return {
    of(text: string): number {
      let code = known.get(text)
      if (code === undefined) {
        code = Number((find.get(text) ?? insert.get(text))?.code)
        known.set(text, code)
      }
      return code
    },
    forget: () => known.clear(),
  }
}

/** Writes a view's labels. */
export function createLabelWriter(connection: DatabaseSync, rows: string): VersionWriter {
  const insert = connection.prepare(`INSERT INTO ${labelsTable(rows)} VALUES (?, ?, ?, ?, ?, ?)`)
  return {
    write(version) {
      insert.run(...version)
    },
    forget: () => undefined,
  }
}
