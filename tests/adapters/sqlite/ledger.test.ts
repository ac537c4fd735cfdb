import assert from 'node:assert/strict'
import { join } from 'node:path'
import { contractsView } from '../../../services/contracts/contract/view.ts'
import { openForWriting } from '../../../shared/adapters/sqlite/file/connection.ts'
import { prepareStatements } from '../../../shared/adapters/sqlite/file/statements.ts'
import { encodeVersion } from '../../../shared/adapters/sqlite/sums/encoded-version.ts'
import {
  FOREVER,
  type LedgerShape,
  ledgerTables,
  versionTablesSql,
} from '../../../shared/adapters/sqlite/sums/ledger-tables.ts'
import { slicesFor } from '../../../shared/adapters/sqlite/sums/slices.reader.ts'
import { readSums } from '../../../shared/adapters/sqlite/sums/sums.reader.ts'
import { createLedgerWriter } from '../../../shared/adapters/sqlite/sums/versions.writer.ts'
import { shapeOf } from '../../../shared/adapters/sqlite/views/view-shape.ts'
import { atEnd } from '../../support/cleanup.ts'
import { NOON } from '../../support/jobs.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const ROWS = 'view_contracts_1'
const shape = shapeOf(contractsView)
const tables = ledgerTables(ROWS, shape.versions as LedgerShape)

/** The version of a contract, `at` milliseconds after NOON. */
const version = (
  id: number,
  at: number,
  { version = 1, fee = '2', clientId = 'Ada', month = '2026-01', notes = '' } = {},
) => {
  const amounts = { serviceFee: fee, taxPercent: '0', totalFeeWithTax: fee }
  const state = { clientId, serviceType: 'tax', serviceDate: `${month}-31`, notes, ...amounts }
  const encoded = encodeVersion(contractsView, {
    view: 'contracts',
    id: String(id),
    version,
    at: NOON + at,
    state: state as never,
  })
  assert.ok(encoded)
  return encoded
}

describe('A ledger on SQLite', () => {
  function open() {
    const folder = temporaryFolder()
    const connection = openForWriting(join(folder.path, 'ledger.db'))
    connection.exec(versionTablesSql(ROWS, shape))
    atEnd(() => {
      connection.close()
      folder.remove()
    })
    const ledger = { statements: prepareStatements(connection), tables, rowsOf: () => undefined }
    const writer = createLedgerWriter(connection, ROWS, tables.shape)
    function byClient(asOf: number) {
      const query = { where: {}, groupBy: ['clientId'], asOf: NOON + asOf, limit: 10, offset: 0 }
      const work = readSums(ledger, query)
      for (;;) {
        const step = work.next()
        if (step.done)
          return step.value.rows.map(({ group, count, amounts }) => [group.clientId, count, amounts.serviceFee])
      }
    }
    return { connection, writer, ledger, byClient }
  }

  it('ends the interval of a version where the next one begins, and knows which one last changed what counts', () => {
    const { connection, writer } = open()
    writer.write(version(1, 0))
    writer.write(version(2, 0))
    writer.write(version(1, 5, { version: 2, notes: 'not counted' }))
    writer.write(version(1, 9, { version: 3, fee: '3' }))
    const stored = connection.prepare(`SELECT id, version, at, until, changed FROM ${tables.versions}`).all()
    assert.deepEqual(
      stored.map((row) => Object.values(row)),
      [
        [1, 1, NOON, NOON + 5, 1],
        [1, 2, NOON + 5, NOON + 9, 1],
        [1, 3, NOON + 9, FOREVER, 3],
        [2, 1, NOON, FOREVER, 1],
      ],
    )
  })

  it('is unchanged by a rollback, including the codes of its texts', () => {
    const { connection, writer, byClient } = open()
    writer.write(version(1, 0))
    connection.exec('BEGIN')
    writer.write(version(1, 4, { version: 2, clientId: 'rolled back' }))
    connection.exec('ROLLBACK')
    writer.forget()
    assert.deepEqual(byClient(4), [['Ada', 1, '2']])
    // The code of the rolled-back text is reused for another one.
    writer.write(version(1, 5, { version: 2, clientId: 'new', fee: '7' }))
    writer.write(version(2, 5, { clientId: 'rolled back', fee: '8' }))
    assert.deepEqual(byClient(5), [
      ['rolled back', 1, '8'],
      ['new', 1, '7'],
    ])
  })

  it('is read in slices: only the months or the client asked for', () => {
    const { writer, ledger } = open()
    for (const [n, month] of ['2026-03', '2025-12', '2026-01', '2026-02'].entries()) {
      writer.write(version(n + 1, 0, { month, clientId: `client ${n}` }))
    }
    const slices = (filter: object, groupBy: readonly string[] = []) =>
      [...slicesFor(ledger, { where: {}, ...filter }, groupBy)].map(({ condition }) => condition)
    const months = (...all: readonly number[]) => all.map((month) => ({ sql: 'month = ?', values: [month] }))
    assert.deepEqual(slices({}), months(202512, 202601, 202602, 202603))
    assert.deepEqual(slices({ from: '2026-01-15', to: '2026-02-01' }, ['clientId']), months(202601, 202602))
    assert.deepEqual(slices({ where: { clientId: 'nobody' } }), [{ sql: 'clientId = ?', values: [0] }])
    assert.deepEqual(
      slices({}, ['clientId']).map(({ sql }) => sql),
      ['clientId > ? AND clientId <= ?'],
    )
  })
})
