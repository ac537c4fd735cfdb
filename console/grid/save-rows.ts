import { explainViolation } from '../api/explain.ts'
import type { CsvFile } from '../csv/csv-file.ts'
import type { Field } from '../fields/fields.ts'
import type { FieldProblems } from '../fields/texts.ts'
import type { PageContext } from '../frame/page.ts'
import { createImportRuns } from '../import/import-run.ts'
import { newKey } from '../records/write.ts'
import type { ReadRow, Row } from './rows.ts'

/** Saves the rows of the grid together, like the import of a file: all are checked before any is written. */
export function createRowsSaver(fields: readonly Field[], read: (row: Row) => ReadRow, context: PageContext) {
  const runs = createImportRuns(context)
  const names = ['client', ...fields.map(({ name }) => name)]
  let last = { text: '', key: '' }
  let sent: readonly Row[] = []

  /** Whether rows are written, or may be: Mint writes several at once, and doesn't say which. */
  const isUnclear = () => {
    const run = runs.current()
    return run?.isCheck === false && run.phase !== 'running' && (run.state.written > 0 || run.state.mayBeMore)
  }

  /** Only the same rows have the same key, so that sending them again writes them once. */
  function fileOf(rows: readonly Row[]): CsvFile {
    const lines = rows.map((row) => ({
      ...{ line: row.id, text: '', bytes: 0 },
      cells: names.map((name) => read(row).cells[name] ?? ''),
    }))
    const text = JSON.stringify(lines)
    if (text !== last.text) last = { text, key: newKey() }
    async function* pieces() {
      yield lines
    }
    return { columns: names, delimiter: ',', rows: rows.length, fingerprint: last.key, pieces }
  }

  return {
    /** Returns whether all are written. */
    async save(rows: readonly Row[], overrideReason: string): Promise<boolean> {
      sent = rows
      const asItIs = (text: string) => ({ text })
      const options = { many: 'contracts', file: fileOf(rows), mapping: names, read: asItIs, overrideReason }
      // What may be written was checked before.
      for (const isCheck of isUnclear() ? [false] : [true, false]) {
        await runs.start(isCheck, options)
        const run = runs.current()
        if (run?.phase !== 'ended' || run.state.errors > 0) return false
      }
      return true
    },
    /** Whether only the same rows may be sent again. */
    isUnclear,
    /** The rows of the last attempt. */
    sent: () => sent,
    /** The last attempt; undefined: there was none. */
    run: runs.current,
    /** Mint's errors for a row; none once the row has changed. */
    problemsOf(row: Row): FieldProblems {
      const found = sent.includes(row) ? runs.current()?.state.wrong : undefined
      const wrong = found?.filter(({ line }) => line === row.id) ?? []
      return Object.fromEntries(
        wrong.map((one) => [one.field === 'client' ? 'clientId' : one.field, explainViolation(one)]),
      )
    },
  }
}
