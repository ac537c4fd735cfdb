import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { totalWithTax } from '../../services/contracts/contract/decide.ts'
import { contractDefaults } from '../../services/contracts/contract/events.ts'
import type { Contract } from '../../services/contracts/contract/evolve.ts'
import { contractsView } from '../../services/contracts/contract/view.ts'
import { connectMongo } from '../../shared/adapters/mongo/connection/connection.ts'
import { logOf } from '../../shared/adapters/mongo/log/commit-document.ts'
import { findCommitsAfter, LOG_FIELDS } from '../../shared/adapters/mongo/log/commits-after.ts'
import { openForWriting } from '../../shared/adapters/sqlite/file/connection.ts'
import { LOG_EVENT } from '../../shared/adapters/sqlite/log/log-tables.ts'
import { type EncodedRow, encodeRow, shapeOf } from '../../shared/adapters/sqlite/views/view-shape.ts'
import { PLACE_BITS, viewTables, viewTablesSql } from '../../shared/adapters/sqlite/views/view-tables.ts'
import { RELAXED } from '../../shared/adapters/sqlite/writing/batch.writer.ts'
import { BEGINNING, type Position } from '../../shared/event-sourcing/event.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { foldBatch } from '../../shared/event-sourcing/projector.ts'
import { foldForSearch, foldWhole } from '../../shared/event-sourcing/search-folding.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'

/** The engine's part of going through the contracts' log and view, with all that Mint does left out. */
export interface EngineAlone {
  /** Reads the log's events, decodes them and keeps each contract's last one, in memory. */
  keepLog(): Promise<void>
  /** Reads all that is stored of each row, where the engine has rows. */
  readRows?(): Promise<void>
}

/** Read, or written in one transaction, at a time. */
const BATCH = 1_000
const SHAPE = shapeOf(contractsView)

/** SQLite with nothing but prepared statements, on a file with a built view. */
export function sqliteAlone(file: string): EngineAlone {
  return {
    async keepLog() {
      const kept = new Map<string, unknown>()
      for (const batch of batchesOf(file, selectEvents(LOG_EVENT))) {
        for (const [, , id, , , data] of batch) kept.set(id as string, JSON.parse(data as string))
      }
    },
    async readRows() {
      for (const _ of batchesOf(file, selectRows(file))) {
        // Read is all that they are.
      }
    },
  }
}

/** A few columns of a table, the first of which is what the table is gone through by. */
type Columns = readonly [number, ...unknown[]]

/** `select` takes where to go on after, and how many. */
function* batchesOf(file: string, select: string): Generator<readonly Columns[]> {
  const connection = new DatabaseSync(file, { readOnly: true })
  try {
    const statement = connection.prepare(select)
    statement.setReturnArrays(true)
    for (let after = 0; ; ) {
      const found = statement.all(after, BATCH) as unknown as Columns[]
      yield found
      if (found.length < BATCH) return
      after = found.at(-1)?.[0] ?? 0
    }
  } finally {
    connection.close()
  }
}

/**
 * What `mint verify` can't do without, in one loop over log and rows side by side: it takes for granted that each
 * contract has one event, and that log and rows are in one order. Throws an Error when something is not as it should be.
 */
export async function compareAlone(file: string): Promise<void> {
  const commitIds = new Set<unknown>()
  const rows = batchesOf(file, selectRows(file))
  for (const events of batchesOf(file, selectEvents(`${LOG_EVENT}, commit_id, commit_index, commit_size`))) {
    const { value: found } = rows.next()
    for (const [index, [, , , version, , data, at, commitId]] of events.entries()) {
      if (commitIds.has(commitId)) throw new Error(`commit ${commitId} stands in the log twice`)
      commitIds.add(commitId)
      const contract: Contract = { ...contractDefaults, ...JSON.parse(data as string), createdAt: at, updatedAt: at }
      const { serviceFee, taxPercent, totalFeeWithTax, clientId, serviceDate, serviceName, serviceType } = contract
      const text = `${foldForSearch(serviceName)}\n${foldForSearch(serviceType)}`
      const type = foldWhole(serviceType)
      const expected = [version, at, JSON.stringify(contract), clientId, type, at, serviceDate, text, at]
      const [, ...row] = found?.[index] ?? [0]
      const isRight = totalWithTax(serviceFee, taxPercent) === totalFeeWithTax
      if (!isRight || expected.some((value, n) => value !== row[n]))
        throw new Error(`unlike the log: ${expected}, ${row}`)
    }
  }
  rows.return(undefined)
}

const selectEvents = (columns: string): string =>
  `SELECT ${columns} FROM events WHERE position > ? ORDER BY position LIMIT ?`

/** The rows of the generation that is read now, by id: every column, but their keys as creation times. */
function selectRows(file: string): string {
  const connection = new DatabaseSync(file, { readOnly: true })
  const active = connection.prepare('SELECT generation FROM views WHERE name = ?').get(SHAPE.name)
  connection.close()
  const { rows, texts, filterColumns, rangeColumns } = viewTables(SHAPE, Number(active?.generation))
  const columns = ['id', 'version', 'at', 'state', ...filterColumns, ...rangeColumns, 'text']
  return `SELECT ${columns.join(', ')}, r.key >> ${PLACE_BITS} FROM ${rows} AS r JOIN ${texts} AS t ON t.key = r.key
    WHERE id > ? ORDER BY id LIMIT ?`
}

/** The contracts' rows as they go into SQLite's tables. */
export async function rowsForSqlite({ events }: Database, count: number): Promise<EncodedRow[]> {
  const log = await events.readAll(BEGINNING, count)
  return foldBatch(contractsView, log, () => undefined).map((row) => encodeRow(contractsView, row))
}

/** Writes rows into a new file's tables, with every index and no look at what is there. */
export async function writeRowsAlone(encoded: readonly EncodedRow[]): Promise<void> {
  const folder = temporaryFolder()
  const connection = openForWriting(join(folder.path, 'alone.db'))
  connection.exec(RELAXED)
  const tables = viewTables(SHAPE, 1)
  connection.exec(viewTablesSql(tables))
  const { rows, texts, search, filterColumns, rangeColumns } = tables
  const insertInto = (table: string, columns: readonly string[]): StatementSync =>
    connection.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
  // Merged by FTS5 itself, as nobody else does it here; eight segments at a time, as Mint has it.
  connection.exec(`INSERT INTO ${search} (${search}, rank) VALUES ('automerge', 8)`)
  const insert = insertInto(rows, ['key', 'id', 'version', 'at', 'state'])
  const insertText = insertInto(texts, ['key', ...filterColumns, ...rangeColumns, 'text'])
  const index = insertInto(search, ['rowid', 'text'])
  for (let first = 0; first < encoded.length; first += BATCH) {
    connection.exec('BEGIN')
    for (const row of encoded.slice(first, first + BATCH)) {
      const key = BigInt(row.createdAt) << PLACE_BITS
      insert.run(key, row.id, row.version, row.at, row.state)
      insertText.run(key, ...row.filters, ...row.ranges, row.text)
      index.run(key, row.text)
    }
    connection.exec('COMMIT')
  }
  connection.close()
  folder.remove()
}

/** MongoDB's driver with nothing around it: it decodes the answers. */
export function mongoAlone(url: string, name: string): EngineAlone {
  return {
    async keepLog() {
      const kept = new Map<string, unknown>()
      const connection = await connectMongo(url, name)
      for (let after = BEGINNING; ; ) {
        const range = { after, limit: BATCH, fields: LOG_FIELDS }
        const { commits, isLast } = await findCommitsAfter(logOf(connection.db), range)
        for (const commit of commits) kept.set(commit.stream, commit)
        if (isLast) break
        after = commits.at(-1)?._id as Position
      }
      await connection.close()
    },
  }
}
