import assert from 'node:assert/strict'
import type { CsvImport, ImportCalls } from '../../../gateway/csv/import/csv-import.ts'
import { importFile } from '../../../gateway/csv/import/import-file.ts'
import { collectViolations } from '../../../gateway/csv/import/violations.ts'
import { atEnd } from '../../support/cleanup.ts'
import { countTurns } from '../../support/count-turns.ts'

describe('Importing a CSV file', () => {
  it('gives other requests a turn between its rows, however short they are', async () => {
    const turns = atEnd.stop(countTurns())
    const readIn: number[] = []
    const kind: CsvImport<object, object> = {
      rule: {
        columns: { given: ['name'], ignored: [], required: [] },
        read() {
          readIn.push(turns.now())
          return { type: 'valid', fields: {} }
        },
      },
      judge: async () => async (rows) => rows.map(({ fields }) => ({ type: 'new', fields })),
      findEarlier: async () => [],
      create: () => assert.fail('written'),
    }
    const calls: ImportCalls = {
      context: () => ({ actor: 'somebody', requestId: 'test' }),
      commitOf: undefined,
      checkKey: async () => undefined,
      inTime: (answer) => answer,
    }
    const file = {
      bytes: Buffer.from(`name\n${'x\n'.repeat(9_999)}`),
      isDryRun: true,
      violations: collectViolations([]),
    }
    const { rows } = await importFile(kind, file, calls)
    assert.equal(rows, 9_999)
    const perTurn = [...Map.groupBy(readIn, (turn) => turn).values()].map(({ length }) => length)
    assert.ok(Math.max(...perTurn) <= 500, `${perTurn}`)
  })
})
