import assert from 'node:assert/strict'
import fc from 'fast-check'
import { contractsView } from '../../../services/contracts/contract/view.ts'
import { openForWriting } from '../../../shared/adapters/sqlite/file/connection.ts'
import { prepareStatements, type Statements } from '../../../shared/adapters/sqlite/file/statements.ts'
import { readChanges } from '../../../shared/adapters/sqlite/sums/changes.reader.ts'
import { slicesFor } from '../../../shared/adapters/sqlite/sums/conditions.reader.ts'
import { encodeVersion } from '../../../shared/adapters/sqlite/sums/encoded-version.ts'
import {
  type LedgerShape,
  ledgerTables,
  OPEN,
  versionIndexes,
  versionTablesSql,
} from '../../../shared/adapters/sqlite/sums/ledger-tables.ts'
import { createRecentSums, type RecentSums, readSums } from '../../../shared/adapters/sqlite/sums/sums.reader.ts'
import { createLedgerWriter } from '../../../shared/adapters/sqlite/sums/versions.writer.ts'
import { shapeOf } from '../../../shared/adapters/sqlite/views/view-shape.ts'
import type { LedgerFilter } from '../../../shared/event-sourcing/ports/ledger.ts'
import { atEnd } from '../../support/cleanup.ts'
import { NOON } from '../../support/jobs.ts'

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
    const connection = openForWriting(':memory:')
    connection.exec(versionTablesSql(ROWS, shape))
    for (const [name, on] of versionIndexes(ROWS, shape)) connection.exec(`CREATE INDEX ${name} ON ${on}`)
    atEnd(() => connection.close())
    const statements: Statements = prepareStatements(connection)
    const ledger = { statements, tables }
    const writer = createLedgerWriter(connection, ROWS, tables.shape)
    function sums(asOf: number, asked: object, recent: RecentSums) {
      const query = { where: {}, groupBy: ['clientId'], asOf: NOON + asOf, limit: 100, offset: 0, ...asked }
      return readSums(ledger, query, recent)
    }
    const byClient = (asOf: number) =>
      sums(asOf, {}, createRecentSums()).rows.map(({ group, count, amounts }) => [
        group.clientId,
        count,
        amounts.serviceFee,
      ])
    /** How SQLite looks up what `read` asks it for, step by step. */
    function planned(read: () => void): string[] {
      const found: string[] = []
      const explained = (sql: string) => {
        const plan = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
        found.push(...plan.map(({ detail }) => String(detail)))
        return sql
      }
      ledger.statements = {
        ...statements,
        of: (sql) => statements.of(explained(sql)),
        asBigIntArrays: (sql) => statements.asBigIntArrays(explained(sql)),
      }
      read()
      ledger.statements = statements
      return found
    }
    return { connection, writer, ledger, planned, sums, byClient }
  }

  it('ends the interval of a version where the next one begins, and stores which one last changed a reported field', () => {
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
        [1, 3, NOON + 9, OPEN, 3],
        [2, 1, NOON, OPEN, 1],
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

  it('has the same sums at every moment, whatever was summed before or written since, late or not', () => {
    const client = fc.constantFrom('Ada', 'Bob', 'Cyd')
    const month = fc.constantFrom('2025-12', '2026-01')
    const fee = fc.constantFrom('0', '1', '-1', '0.0000000001', '-0.005', '99999999999999')
    // A commit of several events writes their last version only.
    const events = fc.integer({ min: 1, max: 3 })
    const write = fc.record({ id: fc.nat(5), after: fc.integer({ min: -4, max: 4 }), fee, events })
    const questions = [
      { groupBy: [] },
      { groupBy: ['month', 'clientId'] },
      { groupBy: ['month'], where: { clientId: 'Bob' }, from: '2026-01-01' },
    ]
    const ask = fc.record({ at: fc.integer({ min: -1, max: 12 }), question: fc.constantFrom(...questions) })
    const rounded = { name: 'billed', of: 'totalFeeWithTax', decimals: 2 }
    const step = fc.oneof(fc.tuple(write, client, month), ask)
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
        const { writer, sums } = open()
        const recent = createRecentSums()
        const versions = new Map<number, { readonly version: number; readonly at: number }>()
        let clock = 0
        for (const one of steps) {
          if (Array.isArray(one)) {
            const [{ id, after, fee, events }, clientId, month] = one
            const before = versions.get(id) ?? { version: 0, at: 0 }
            clock = Math.max(0, clock + after)
            const next = { version: before.version + events, at: Math.max(clock, before.at) }
            versions.set(id, next)
            writer.write(version(id + 1, next.at, { version: next.version, fee, clientId, month }))
          } else {
            const asked = { ...one.question, rounded }
            assert.deepEqual(sums(one.at, asked, recent), sums(one.at, asked, createRecentSums()))
          }
        }
      }),
    )
  })

  it('is added up once for all moments between two versions', () => {
    const { writer, ledger, sums } = open()
    const recent = createRecentSums()
    const { statements } = ledger
    let added = 0
    ledger.statements = {
      ...statements,
      asBigIntArrays: (sql) => {
        added += 1
        return statements.asBigIntArrays(sql)
      },
    }
    const reads = (asOf: number) => {
      added = 0
      const { count } = sums(asOf, { groupBy: [] }, recent).sums
      return [count, added]
    }
    for (let id = 1; id <= 20; id++) writer.write(version(id, id))
    assert.deepEqual([25, 25, 30, 20].map(reads), [
      [20, 1],
      [20, 0],
      [20, 0],
      [20, 0],
    ])
    writer.write(version(21, 26))
    assert.deepEqual(reads(30), [21, 1])
    assert.deepEqual(reads(25), [20, 0])
    // From a process whose clock is behind.
    writer.write(version(22, 24))
    assert.deepEqual(reads(25), [21, 1])
    writer.write(version(23, 23))
    assert.deepEqual(reads(25), [22, 1])
    assert.deepEqual(reads(25), [22, 0])
  })

  it('has equal groups in the order of their texts’ code points, on whatever page', () => {
    const { writer, sums } = open()
    const clients = ['\u{1f4b0}', 'b', '\ufffd', 'a']
    for (const [n, clientId] of clients.entries()) writer.write(version(n + 1, 0, { clientId }))
    writer.write(version(5, 0, { clientId: 'c', fee: '3' }))
    writer.write(version(6, 0, { clientId: 'd', fee: '1' }))
    const ordered = ['c', 'a', 'b', '\ufffd', '\u{1f4b0}', 'd']
    for (const [offset, limit] of [
      [0, 100],
      [0, 2],
      [2, 2],
      [3, 1],
      [4, 2],
      [6, 1],
    ] as const) {
      const { rows } = sums(0, { offset, limit }, createRecentSums())
      assert.deepEqual(
        rows.map(({ group }) => group.clientId),
        ordered.slice(offset, offset + limit),
      )
    }
  })

  it('holds the groups of one month at a time, whatever the page', () => {
    const { writer, sums } = open()
    const clients = ['Ada', 'Bob', 'Cyd', 'Dan']
    const months = ['2025-12', '2026-01', '2026-02']
    const all = months.flatMap((month) => clients.map((clientId, n) => ({ month, clientId, fee: `${9 - n}` })))
    for (const [n, one] of all.toReversed().entries()) writer.write(version(n + 1, 0, one))
    const recent = createRecentSums()
    for (const groupBy of [
      ['month', 'clientId'],
      ['clientId', 'month'],
    ]) {
      for (const [offset, limit] of [
        [0, 12],
        [0, 4],
        [3, 2],
        [2, 7],
        [11, 5],
        [12, 5],
      ] as const) {
        const page = sums(0, { groupBy, offset, limit }, recent)
        const expected = all.slice(offset, offset + limit)
        assert.deepEqual(
          page.rows.map(({ group, amounts }) => ({ ...group, fee: amounts.serviceFee })),
          expected,
        )
        assert.deepEqual([page.total, page.sums.count, page.sums.amounts.serviceFee], [12, 12, '90'])
      }
    }
    const held = [...recent.values()].map(({ order }) => order.length)
    assert.equal(Math.max(...held), clients.length)
  })

  it('is read month by month or by client: only the requested months or client', () => {
    const { planned, writer, ledger, sums } = open()
    for (const [n, month] of ['2026-03', '2025-12', '2026-01', '2026-02'].entries()) {
      writer.write(version(n + 1, 0, { month, clientId: `client ${n}` }))
    }
    const slices = (filter: object, groupBy: readonly string[] = []) =>
      slicesFor(ledger, { where: {}, ...filter, groupBy }).map(({ condition }) => condition)
    const months = (...all: readonly number[]) => all.map((month) => ({ sql: 'month = ?', values: [month] }))
    assert.deepEqual(slices({}), months(202512, 202601, 202602, 202603))
    assert.deepEqual(slices({ from: '2026-01-15', to: '2026-02-01' }, ['clientId']), months(202601, 202602))
    assert.deepEqual(slices({}, ['clientId']), [{ sql: '1', values: [] }])
    const isOfSums = (step: string) => /versions_by_(text|month) \(\w+=/.test(step)
    const plans = (asked: object) => planned(() => sums(0, asked, createRecentSums())).filter(isOfSums)
    const search = `SEARCH ${tables.versions} USING COVERING INDEX`
    const where = { clientId: 'client 2' }
    assert.deepEqual(plans({ where, groupBy: [] }), [`${search} ${tables.byText} (clientId=?)`])
    assert.deepEqual(plans({ from: '2026-02-01', groupBy: [] }), Array(2).fill(`${search} ${tables.byMonth} (month=?)`))
  })

  it('reads the changes of one client without scanning the versions of others', () => {
    const { planned, ledger } = open()
    const period = { since: NOON, until: NOON + 9, limit: 10, offset: 0 }
    const isScan = (step: string) => step.startsWith('SCAN')
    const plans = (where: LedgerFilter['where']) => planned(() => readChanges(ledger, { where, ...period }))
    assert.ok(plans({}).some(isScan))
    assert.deepEqual(plans({ clientId: 'Ada', serviceType: 'tax' }).filter(isScan), [])
  })

  it('reads a row’s whole history once for its changes, not once for each of its versions', () => {
    const { planned, writer, ledger } = open()
    const fees = ['1', '2', '3', '3', '1', '4']
    for (const [n, fee] of fees.entries()) writer.write(version(1, n, { version: n + 1, fee }))
    const read = (since: number, until: number) =>
      readChanges(ledger, { where: {}, since: NOON + since, until: NOON + until, limit: 10, offset: 0 })
    const plan = planned(() => read(0, 5)).filter((step) => step.includes('(id=?'))
    // Of the change that remains of a row, what it counted for before.
    const before = plan.filter((step) => step.startsWith('SEARCH before'))
    const rest = plan.filter((step) => !before.includes(step))
    assert.ok(rest.length > 0 && rest.every((step) => step.includes('(id=? AND version>?)')), rest.join('\n'))
    const feesAt = (since: number, until: number) =>
      read(since, until).changes.map(({ version, before, after }) => {
        return [version, before?.amounts.serviceFee, after?.amounts.serviceFee]
      })
    assert.deepEqual(feesAt(0, 5), [[6, '1', '4']])
    assert.deepEqual(feesAt(1, 3), [[3, '2', '3']])
    assert.deepEqual(feesAt(2, 3), [])
    assert.deepEqual(feesAt(0, 4), [])
    assert.deepEqual(feesAt(-1, 4), [[5, undefined, '1']])
  })
})
