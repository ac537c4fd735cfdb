import assert from 'node:assert/strict'
import { join } from 'node:path'
import fc from 'fast-check'
import { openForReading } from '../../../shared/adapters/sqlite/connection.ts'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.ts'
import {
  countRowsWith,
  createPackedTexts,
  type PackedTexts,
  toPackedTerm,
} from '../../../shared/adapters/sqlite/lists/packed-texts.ts'
import { entriesOf, sliceOf } from '../../../shared/adapters/sqlite/lists/slices.ts'
import { waysTo } from '../../../shared/adapters/sqlite/lists/ways.ts'
import { prepareStatements, type Statements } from '../../../shared/adapters/sqlite/statements.ts'
import { shapeOf } from '../../../shared/adapters/sqlite/views/view-shape.ts'
import { viewTables } from '../../../shared/adapters/sqlite/views/view-tables.ts'
import { foldForSearch } from '../../../shared/search-folding.ts'
import { cleanup } from '../../support/cleanup.ts'
import { append, appendAll, created, edited, jobs } from '../../support/jobs.ts'
import { searchText } from '../../support/search-texts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const TABLES = viewTables(shapeOf(jobs), 1)

describe('Packed search texts of SQLite', () => {
  const atEnd = cleanup()
  async function opened() {
    const folder = temporaryFolder()
    atEnd(() => folder.remove())
    const file = join(folder.path, 'test.db')
    const database = await openSqliteDatabase({ file, views: [jobs] })
    atEnd(() => database.close())
    const read = (): Statements => {
      const connection = openForReading(file, 4000)
      atEnd(() => connection.close())
      return prepareStatements(connection)
    }
    return { database, read }
  }

  it('find in every text what SQLite finds there', async () => {
    const { database, read } = await opened()
    const statements = read()
    const written: string[] = []
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(searchText, searchText), { maxLength: 4 }), searchText, async (more, some) => {
        const commits = more.map(([title, kind], index) => created(String(written.length + index + 1), { title, kind }))
        await appendAll(database, commits)
        written.push(...more.map(([title]) => title))
        for (const term of [some, written.at(-1) ?? '', ...(written.at(-1) ?? '').slice(-2)].map(foldForSearch)) {
          if (term === '' || !term.isWellFormed()) continue
          assert.equal(
            found(statements, createPackedTexts(), term),
            foundBySqlite(statements, term),
            JSON.stringify(term),
          )
        }
      }),
      { numRuns: 100 },
    )
  }).timeout(30_000)

  it('are those of the snapshot that is read, whoever packed them before', async () => {
    const { database, read } = await opened()
    const row = await append(database, created('1', { title: 'Payroll' }))
    const [earlier, later, packed] = [read(), read(), createPackedTexts()]
    earlier.connection.exec('BEGIN')
    assert.equal(found(earlier, packed, 'payroll'), 1)
    await append(database, edited(row, { title: 'Audit' }))
    for (let round = 0; round < 2; round++) {
      assert.equal(found(later, packed, 'payroll'), 0)
      assert.equal(found(earlier, packed, 'payroll'), 1)
    }
    earlier.connection.exec('ROLLBACK')
  })

  it('count as well where there is no room for them', async () => {
    const { database, read } = await opened()
    await appendAll(
      database,
      Array.from({ length: 5000 }, (_, index) =>
        created(String(index + 1), { kind: '', title: index % 3 === 0 ? 'Tax' : 'Audit' }),
      ),
    )
    const statements = read()
    for (const mostBytes of [0, 1, 1_000_000]) {
      const query = { conditions: [], term: 'ax', limit: 1, offset: 0, after: undefined, withTotal: true }
      const [way] = waysTo(statements, TABLES, query, createPackedTexts(mostBytes))
      const entries = entriesOf(statements, TABLES)
      assert.ok(entries.length > 1)
      assert.equal(way.count(sliceOf(entries, 0, entries.length)), 1667, `${mostBytes} bytes`)
    }
  })
})

function found(statements: Statements, packed: PackedTexts, term: string): number {
  return entriesOf(statements, TABLES)
    .map((entry) => countRowsWith(toPackedTerm(term), packed.of(statements, TABLES, entry) ?? ''))
    .reduce((sum, rows) => sum + rows, 0)
}

function foundBySqlite(statements: Statements, term: string): number {
  const where = TABLES.textColumns.map((column) => `instr(${column}, ?) > 0`).join(' OR ')
  const terms = TABLES.textColumns.map(() => term)
  return Number(statements.of(`SELECT count(*) AS n FROM ${TABLES.texts} WHERE ${where}`).get(...terms)?.n)
}
