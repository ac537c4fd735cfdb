import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { openForWriting } from '../../../shared/adapters/sqlite/file/connection.ts'
import { bringToCurrentFormat } from '../../../shared/adapters/sqlite/file/format.ts'
import { prepareStatements } from '../../../shared/adapters/sqlite/file/statements.ts'
import { headOf } from '../../../shared/adapters/sqlite/log/log-reads.ts'
import { dropSqls, rowsName } from '../../../shared/adapters/sqlite/views/stored-views.ts'
import { type EncodedRow, encodeRow, shapeOf } from '../../../shared/adapters/sqlite/views/view-shape.ts'
import { viewIndexSqls, viewTables, viewTablesSql } from '../../../shared/adapters/sqlite/views/view-tables.ts'
import { STRICT, type WriterState, writeBatch } from '../../../shared/adapters/sqlite/writing/batch.writer.ts'
import {
  type AppendOperation,
  encodeCommit,
  type OperationEnd,
  type WriteOperation,
} from '../../../shared/adapters/sqlite/writing/write-operations.ts'
import type { ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { atEnd } from '../../support/cleanup.ts'
import { created, type Job, jobs, NOON } from '../../support/jobs.ts'
import { newFolder } from '../../support/temporary-folder.ts'

/** SQLite's codes for a write and for an fsync that failed (https://sqlite.org/rescode.html). */
const WRITE_FAILED = 10 | (3 << 8)
const FSYNC_FAILED = 10 | (4 << 8)

describe('A SQLite batch', () => {
  /** `exec` is called before each statement that is executed as text, and may throw. */
  function openWith(exec: (sql: string, connection: DatabaseSync) => void): WriterState {
    const file = join(newFolder(), 'test.db')
    const real = atEnd.close(openForWriting(file))
    bringToCurrentFormat(real, file)
    const connection = new Proxy(real, {
      get(_, name) {
        const value = Reflect.get(real, name)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          if (name === 'exec') exec(String(given[0]), real)
          return value.apply(real, given)
        }
      },
    })
    const state: WriterState = {
      statements: prepareStatements(connection),
      shapes: [shapeOf(jobs)],
      rowWriters: new Map(),
      settings: STRICT,
      checkOwnership: () => undefined,
    }
    done(state, makingTables(1))
    return state
  }

  it('whose fsync failed is certainly not written if another write replaced it, and in doubt otherwise', () => {
    let failing: string[] = []
    const state = openWith((sql) => {
      if (failing.some((text) => sql.startsWith(text))) throw sqliteError(FSYNC_FAILED)
    })
    failing = ['COMMIT']
    const overwritten = writeBatch(state, { operations: [appending('1')], sequences: new Map() })
    assert.ok(overwritten.length === 1 && overwritten.every(hasCertainlyFailed))
    failing = ['COMMIT', 'UPDATE overwrites']
    const inDoubt = writeBatch(state, { operations: [appending('1')], sequences: new Map() })
    assert.ok(inDoubt.length === 1 && inDoubt.every(isInDoubt))
    failing = []
    assert.equal(done(state, appending('1')), 1)
  })

  it('is in doubt after a failed fsync even if one of its operations failed on its own', () => {
    let failing = false
    const state = openWith((sql) => {
      if (failing && /^(COMMIT|UPDATE overwrites)/.test(sql)) throw sqliteError(FSYNC_FAILED)
    })
    failing = true
    const ends = writeBatch(state, { operations: [BAD, appending('1')], sequences: new Map() })
    assert.ok(ends.length === 2 && ends.every(isInDoubt))
  })

  it('that could not be written leaves no trace in the next one', () => {
    let failing = false
    const state = openWith((sql) => {
      if (failing && sql === 'COMMIT') throw sqliteError(WRITE_FAILED)
    })
    failing = true
    const ends = writeBatch(state, { operations: [makingTables(2), projecting(rowOf(5), 2)], sequences: new Map() })
    assert.ok(ends.length === 2 && ends.every(hasCertainlyFailed))
    failing = false
    assert.equal(done(state, appending('1')), 1)
    done(state, makingTables(2), projecting(rowOf(5), 2))
  })

  it('counts committed rows, and ignores those rolled back', () => {
    let failing = false
    const state = openWith((sql) => {
      if (failing && sql === 'COMMIT') throw sqliteError(WRITE_FAILED)
    })
    const assertCounted = (rows: number) => {
      const [counted] = state.statements.of('SELECT sum(rows) AS rows FROM view_jobs_1_counts').all()
      assert.deepEqual({ ...counted }, { rows })
    }
    done(state, appending('1'), appending('2'))
    assertCounted(2)
    failing = true
    writeBatch(state, { operations: [appending('3'), appending('4')], sequences: new Map() })
    failing = false
    done(state, appending('5'))
    assertCounted(3)
    const ends = writeBatch(state, { operations: [appending('6'), BAD, appending('7')], sequences: new Map() })
    assert.deepEqual(
      ends.map((end) => 'result' in end),
      [true, false, true],
    )
    assertCounted(5)
  })

  it('counts each row in the entry of its key range, even after splits and in transactions that span entries', () => {
    let failing = false
    const state = openWith((sql) => {
      if (failing && sql === 'COMMIT') throw sqliteError(WRITE_FAILED)
    })
    const createdAt = (id: number, at: number) => appending(`${id}`, NOON + at)
    const assertCounted = (expected: number) => {
      const entries = state.statements
        .of(`SELECT rows, (SELECT count(*) FROM view_jobs_1 WHERE key >= first AND key < next) AS there FROM
          (SELECT first, rows, lead(first, 1, 9223372036854775807) OVER (ORDER BY first) AS next FROM view_jobs_1_counts)`)
        .all()
      assert.deepEqual(
        entries.map(({ rows }) => rows),
        entries.map(({ there }) => there),
      )
      assert.equal(
        entries.reduce((sum, { rows }) => sum + Number(rows), 0),
        expected,
      )
      return entries.length
    }
    done(state, ...Array.from({ length: 5_000 }, (_, index) => createdAt(index + 1, 1_000 + index)))
    assert.ok(assertCounted(5_000) > 2, 'entries were split')
    const hereAndThere = (first: number) => [0, 9_000, 0, 3_000, 9_000].map((at, index) => createdAt(first + index, at))
    done(state, ...hereAndThere(6_000))
    assertCounted(5_005)
    failing = true
    const more = Array.from({ length: 3_000 }, (_, index) => createdAt(7_000 + index, index))
    writeBatch(state, { operations: [...hereAndThere(20_000), ...more], sequences: new Map() })
    failing = false
    assertCounted(5_005)
    done(state, ...hereAndThere(30_000))
    assertCounted(5_010)
  })

  it('is flushed to disk before it completes if it contains an append', () => {
    const flushed: unknown[] = []
    const state = openWith((sql, connection) => {
      if (sql === 'COMMIT') flushed.push(connection.prepare('PRAGMA synchronous').get()?.synchronous)
    })
    flushed.length = 0
    done(state, appending('1'))
    done(state, projecting(rowOf(5)))
    done(state, projecting(rowOf(6)), appending('2'))
    done(state, appending('3'))
    assert.deepEqual(flushed, [2, 1, 2, 2], 'NORMAL for rows that the log has, FULL for what it has not')
  })

  it('merges the search index a little at a time', () => {
    const state = openWith(() => undefined)
    const { connection } = state.statements
    connection.exec('PRAGMA wal_autocheckpoint = 0')
    const pagesWritten = () => statSync(`${connection.location()}-wal`).size / 4096
    let max = 0
    for (let batch = 0; batch < 300; batch++) {
      const before = pagesWritten()
      const numbers = Array.from({ length: 16 }, (_, index) => batch * 16 + index + 1)
      done(state, ...numbers.map((number) => appending(`${number}`, NOON, titleOf(number))))
      max = Math.max(max, pagesWritten() - before)
    }
    // Half of them write at most 39 pages, and the largest 86. If FTS5 merges on its own, the largest writes 134.
    assert.ok(max < 110, `${max} pages in one transaction`)
  })

  it('merges the search index as fast as it is written, even when texts are removed from it', () => {
    const state = openWith(() => undefined)
    const segments = state.statements.of('SELECT count(DISTINCT segid) AS n FROM view_jobs_1_search_idx')
    const numbers = Array.from({ length: 10_000 }, (_, index) => index + 1)
    done(state, ...numbers.map((number) => appending(`${number}`, NOON, titleOf(number).repeat(2))))
    const rows = numbers.map((number) => ({ ...rowOf(number), version: 2 }))
    let max = 0
    while (rows.length > 0) {
      done(state, ...rows.splice(0, 16).map((row) => projecting(row)))
      max = Math.max(max, Number(segments.get()?.n))
    }
    // 24; 37 if removed texts don't count, and 87 if small transactions merge only as much as they write.
    assert.ok(max < 32, `${max} segments`)
  })

  it('that only creates indexes sorts their rows in files next to it, and every other one in memory', () => {
    const [FILE, MEMORY] = [1, 2]
    const state = openWith(() => undefined)
    const sorts = () => state.statements.of('PRAGMA temp_store').get()?.temp_store
    const creating = viewIndexSqls(viewTables(shapeOf(jobs), 1)).map((sql) => ({ kind: 'tables', sql }) as const)
    const found = [appending('1'), projecting(rowOf(2)), ...creating, appending('3')].map((one) => {
      done(state, one)
      return sorts()
    })
    assert.deepEqual(found, [MEMORY, MEMORY, ...creating.map(() => FILE), MEMORY])
    const { connection } = state.statements
    const { temp_store_directory: folder } = { ...state.statements.of('PRAGMA temp_store_directory').get() }
    assert.equal(folder, dirname(connection.location() ?? ''))
  })

  it('can contain both appends and drops of tables written to earlier', () => {
    const state = openWith(() => undefined)
    for (let id = 1; id <= 10; id++) done(state, appending(`${id}`))
    done(state, makingTables(2))
    const dropping = dropSqls(state.statements, rowsName(jobs.name, 1)).map((sql) => ({ kind: 'tables', sql }) as const)
    assert.equal(done(state, appending('11', NOON, 'Report', 2), ...dropping, appending('12', NOON, 'Report', 2)), 12)
    assert.equal(done(state, appending('13', NOON, 'Report', 2)), 13)
    const found = state.statements.of('SELECT count(*) AS n FROM view_jobs_2_search WHERE view_jobs_2_search MATCH ?')
    assert.equal(found.get('"report"')?.n, 3)
  })
})

/** Fails on its own: there is no such table. */
const BAD: WriteOperation = { kind: 'sql', sql: 'DELETE FROM none' }

function makingTables(generation: number): WriteOperation {
  return { kind: 'tables', sql: viewTablesSql(viewTables(shapeOf(jobs), generation)) }
}

function projecting(row: EncodedRow, generation = 1): WriteOperation {
  return { kind: 'project', changes: [{ view: jobs.name, generation, row }] }
}

function appending(id: string, at = NOON, title = 'Report', generation = 1): AppendOperation {
  const commit = created(id, { title, at })
  const [row] = commit.rows
  return {
    kind: 'append',
    ...encodeCommit(commit, 0),
    changes: [{ view: jobs.name, generation, row: encodeRow(jobs, row as ViewRow<Job>) }],
  }
}

/** A title that shares few trigrams with those of other numbers. */
const titleOf = (number: number): string => createHash('sha1').update(`${number}`).digest('hex')

/** The row of a job whose title was cut short. */
function rowOf(number: number) {
  const { rows } = created(`${number}`, { title: titleOf(number).slice(0, 4), at: NOON })
  return encodeRow(jobs, rows[0] as never)
}

/** Writes a batch, asserts that it succeeds, and returns the log's head. */
function done(state: WriterState, ...operations: WriteOperation[]): number {
  const ends = writeBatch(state, { operations, sequences: new Map() })
  assert.equal(ends.length, operations.length)
  assert.ok(
    ends.every((end) => 'result' in end),
    JSON.stringify(ends),
  )
  return headOf(state.statements)
}

const hasCertainlyFailed = (end: OperationEnd): boolean => 'failure' in end && end.certain
const isInDoubt = (end: OperationEnd): boolean => 'failure' in end && !end.certain

function sqliteError(errcode: number): Error {
  return Object.assign(new Error('disk I/O error'), { errcode })
}
