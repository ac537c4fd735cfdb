import assert from 'node:assert/strict'
import { join } from 'node:path'
import { contractsView } from '../../../services/contracts/contract/view.ts'
import { openForReading, openForWriting } from '../../../shared/adapters/sqlite/any-thread/connection.ts'
import { encodeVersion } from '../../../shared/adapters/sqlite/any-thread/ledger/encoded-version.ts'
import {
  BLOCK_SIZE,
  COLUMNS_A_BLOCK,
  type LedgerShape,
  ledgerTables,
  versionTablesSql,
} from '../../../shared/adapters/sqlite/any-thread/ledger/ledger-tables.ts'
import { prepareStatements, type Statements } from '../../../shared/adapters/sqlite/any-thread/statements.ts'
import { shapeOf } from '../../../shared/adapters/sqlite/any-thread/view-shape.ts'
import { readChanges } from '../../../shared/adapters/sqlite/reader-thread/ledger/changes.ts'
import type { OpenLedger } from '../../../shared/adapters/sqlite/reader-thread/ledger/open-ledger.ts'
import { readSums } from '../../../shared/adapters/sqlite/reader-thread/ledger/sums.ts'
import { createLedgerWriter, type VersionWriter } from '../../../shared/adapters/sqlite/writer-thread/ledger-writer.ts'
import { atEnd } from '../../support/cleanup.ts'
import { NOON } from '../../support/jobs.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const ROWS = 'view_contracts_1'
const shape = shapeOf(contractsView)
const ledgerShape = shape.versions as LedgerShape
const { columns, entries, blocks, columnNames } = ledgerTables(ROWS, ledgerShape)
const EVERYTHING = { where: {}, limit: 10, offset: 0, sum: ['totalFeeWithTax'] }

/** The entry of a contract, `at` milliseconds after NOON. */
const entry = (id: number, at: number, { version = 1, serviceFee = '2', clientId = `client ${id % 3}` } = {}) => {
  const amounts = { serviceFee, taxPercent: '0', totalFeeWithTax: serviceFee }
  const state = { clientId, serviceType: 'tax', serviceDate: '2026-01-31', ...amounts }
  const row = { view: 'contracts', id: String(id), version, at: NOON + at, state: state as never }
  const encoded = encodeVersion(contractsView, row)
  assert.ok(encoded)
  return encoded
}

/** Runs a read to its end. */
function finish<Result>(work: Generator<undefined, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

describe('A ledger on SQLite', () => {
  /** A ledger in a file, with its writer and a reader that records each column it reads, as block and name. */
  function open() {
    const folder = temporaryFolder()
    const connection = openForWriting(join(folder.path, 'ledger.db'))
    connection.exec(versionTablesSql(ROWS, shape))
    const writer = createLedgerWriter(connection, ROWS, ledgerShape)
    const own = prepareStatements(openForReading(join(folder.path, 'ledger.db'), 1_000))
    atEnd(() => {
      own.connection.close()
      connection.close()
      folder.remove()
    })
    const read: string[] = []
    const statements = {
      ...own,
      asArrays(sql: string) {
        const statement = own.asArrays(sql)
        if (!sql.includes(columns)) return statement
        const get = (key: number) => {
          read.push(`${Math.floor(key / COLUMNS_A_BLOCK)} ${columnNames[key % COLUMNS_A_BLOCK]}`)
          return statement.get(key)
        }
        return { get } as never
      },
    } as Statements
    const ledger: OpenLedger = { statements, shape: ledgerShape, rows: ROWS, rowsOf: () => undefined }
    const write = (work: (writer: VersionWriter) => void) => {
      connection.exec('BEGIN')
      work(writer)
      writer.flush()
      connection.exec('COMMIT')
    }
    const count = (table: string) => Number(connection.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n)
    return { connection, writer, write, ledger, read, count }
  }

  /** Three full blocks, each a thousand milliseconds after the one before, and ten entries after them. */
  function filled() {
    const mint = open()
    for (const block of [0, 1, 2]) {
      mint.write((writer) => {
        for (let n = 1; n <= BLOCK_SIZE; n++) writer.write(entry(block * BLOCK_SIZE + n, block * 1_000))
      })
    }
    mint.write((writer) => {
      for (let n = 1; n <= 10; n++) writer.write(entry(n, 3_000, { version: 2, serviceFee: '5' }))
    })
    return mint
  }

  it('packs entries into a block as soon as they fill one, and leaves the rest unpacked', () => {
    const { count } = filled()
    assert.deepEqual([count(blocks), count(columns), count(entries)], [3, 3 * columnNames.length, 10])
  })

  it('reads only the columns that a report needs, each once, and skips blocks of later times', () => {
    const { ledger, read } = filled()
    const now = finish(readSums(ledger, { ...EVERYTHING, groupBy: [], asOf: NOON + 3_000 }))
    assert.deepEqual(now.sums, { count: 3 * BLOCK_SIZE, amounts: { totalFeeWithTax: String(6 * BLOCK_SIZE + 30) } })
    const limbs = ['totalFeeWithTax_0', 'totalFeeWithTax_1', 'totalFeeWithTax_2']
    const ofBlock = (block: number, names: readonly string[]) => names.map((name) => `${block} ${name}`)
    assert.deepEqual(
      read,
      [2, 1, 0].flatMap((block) => ofBlock(block, ['id', ...limbs])),
    )
    read.length = 0
    const then = finish(readSums(ledger, { ...EVERYTHING, groupBy: ['clientId'], asOf: NOON + 999 }))
    assert.deepEqual([then.sums.count, then.total], [BLOCK_SIZE, 3])
    assert.deepEqual(read, ofBlock(0, ['id', 'clientId', ...limbs]))
  })

  it('reads only ids from blocks before both moments, unless they hold the previous version of a changed row', () => {
    const { ledger, read } = filled()
    const { total, difference } = finish(
      readChanges(ledger, { ...EVERYTHING, since: NOON + 2_999, until: NOON + 3_000 }),
    )
    assert.deepEqual([total, difference.amounts.totalFeeWithTax], [10, '30'])
    assert.deepEqual(new Set(read.filter((column) => !column.startsWith('0 '))), new Set(['2 id', '1 id']))
    assert.equal(new Set(read).size, read.length, 'each column once')
    read.length = 0
    finish(readChanges(ledger, { ...EVERYTHING, since: NOON + 3_000, until: NOON + 3_000 }))
    assert.deepEqual(read, [])
  })

  it('is unchanged by a rollback, including the codes of its texts and the numbers of its entries', () => {
    const { connection, writer, write, ledger, count } = filled()
    const reportByClient = (asOf: number) =>
      finish(readSums(ledger, { ...EVERYTHING, groupBy: ['clientId'], asOf: NOON + asOf }))
    const before = reportByClient(4_000)
    connection.exec('BEGIN')
    for (let n = 1; n <= BLOCK_SIZE; n++) writer.write(entry(n, 4_000, { version: 3, clientId: 'rolled back' }))
    writer.flush()
    connection.exec('ROLLBACK')
    writer.forget()
    assert.deepEqual(reportByClient(4_000), before)
    // The code of the rolled-back text is reused for another one, and so are the numbers of its entries.
    write((again) => again.write(entry(1, 5_000, { version: 3, clientId: 'new', serviceFee: '7' })))
    write((again) => again.write(entry(2, 5_000, { version: 3, clientId: 'rolled back', serviceFee: '8' })))
    assert.deepEqual([count(blocks), count(entries)], [3, 12])
    const numbers = connection.prepare(`SELECT min(number) AS first, max(number) AS last FROM ${entries}`).get()
    assert.deepEqual({ ...numbers }, { first: 3 * BLOCK_SIZE + 1, last: 3 * BLOCK_SIZE + 12 })
    write((again) => {
      for (let n = 12; n < BLOCK_SIZE; n++) again.write(entry(n, 6_000, { version: 3, clientId: 'full' }))
    })
    assert.deepEqual([count(blocks), count(entries)], [4, 0])
    const groups = reportByClient(5_000).rows.map(({ group, amounts }) => [group.clientId, amounts.totalFeeWithTax])
    assert.deepEqual(groups.slice(-2), [
      ['rolled back', '8'],
      ['new', '7'],
    ])
  })

  it('yields between blocks, so that other reads get a turn', () => {
    const { ledger } = filled()
    const steps = [...readSums(ledger, { ...EVERYTHING, groupBy: [], asOf: NOON + 3_000 })]
    // After each of the four chunks, before the groups are sorted, and before they are added up.
    assert.equal(steps.length, 4 + 2)
  })
})
