import type { DatabaseSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { EncodedVersion } from '../any-thread/ledger/encoded-version.ts'
import {
  BLOCK_SIZE,
  COLUMNS_A_BLOCK,
  isWide,
  type LedgerShape,
  type LedgerTables,
  labelsTable,
  ledgerTables,
} from '../any-thread/ledger/ledger-tables.ts'

/** Writes what a view stores of every version. */
export interface VersionWriter {
  write(version: EncodedVersion): void
  /** Call it before the transaction commits. */
  flush(): void
  /** Call it after the transaction was rolled back. */
  forget(): void
}

/** How many texts' codes are cached, at most. */
const CACHED_CODES = 10_000

/** Writes a view's ledger: an entry for each version, packed into blocks as they fill. */
export function createLedgerWriter(connection: DatabaseSync, rows: string, shape: LedgerShape): VersionWriter {
  const tables = ledgerTables(rows, shape)
  const { entries, blocks, columnNames } = tables
  const insert = connection.prepare(`INSERT INTO ${entries} VALUES (?, ${columnNames.map(() => '?').join(', ')})`)
  const lastNumber = connection.prepare(`SELECT max(number) AS last FROM ${entries}`)
  const lastBlock = connection.prepare(`SELECT max(block) AS last FROM ${blocks}`)
  const codes = createCodes(connection, tables)
  const pack = createPacking(connection, tables)
  /** The numbers of the next entry and of the next block; undefined: to be read from the tables. */
  let next: { entry: number; block: number } | undefined

  function readNext(): { entry: number; block: number } {
    const block = Number(lastBlock.get()?.last ?? -1) + 1
    return { entry: Number(lastNumber.get()?.last ?? block * BLOCK_SIZE) + 1, block }
  }

  return {
    write(version) {
      next ??= readNext()
      insert.run(next.entry, ...version.map((value) => (typeof value === 'string' ? codes.of(value) : value)))
      next.entry += 1
    },
    flush() {
      // The entries of block n have the numbers from n × BLOCK_SIZE + 1 on.
      while (next && next.entry > (next.block + 1) * BLOCK_SIZE) {
        pack(next.block)
        next.block += 1
      }
    },
    forget() {
      next = undefined
      codes.forget()
    },
  }
}

/** Moves the entries of a full block into its columns. */
function createPacking(connection: DatabaseSync, { entries, blocks, columns, columnNames }: LedgerTables) {
  const select = connection.prepare(
    `SELECT ${columnNames.join(', ')} FROM ${entries} WHERE number BETWEEN ? AND ? ORDER BY number`,
  )
  select.setReturnArrays(true)
  const insertColumn = connection.prepare(`INSERT INTO ${columns} VALUES (?, ?)`)
  const insertBlock = connection.prepare(`INSERT INTO ${blocks} VALUES (?, ?, ?)`)
  const remove = connection.prepare(`DELETE FROM ${entries} WHERE number BETWEEN ? AND ?`)
  return (block: number): void => {
    const range = [block * BLOCK_SIZE + 1, (block + 1) * BLOCK_SIZE] as const
    const found = select.all(...range) as unknown as (readonly number[])[]
    const times = found.map((entry) => Number(entry[columnNames.indexOf('at')]))
    insertBlock.run(block, Math.min(...times), Math.max(...times))
    for (const [index, name] of columnNames.entries()) {
      const numbers = found.map((entry) => Number(entry[index]))
      const packed = isWide(name) ? Float64Array.from(numbers) : Int32Array.from(numbers)
      const isZero = numbers.every((number) => number === 0)
      insertColumn.run(block * COLUMNS_A_BLOCK + index, isZero ? new Uint8Array() : new Uint8Array(packed.buffer))
    }
    remove.run(...range)
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
    flush: () => undefined,
    forget: () => undefined,
  }
}
