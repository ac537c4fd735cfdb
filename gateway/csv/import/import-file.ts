import { mapInGroups } from '../../../shared/async/map-in-groups.ts'
import { grouped } from '../../../shared/fields/rule.ts'
import type { CsvImport, ImportCalls } from './csv-import.ts'
import { type ColumnRule, type Header, readHeader } from './header.ts'
import { parseCsv, UnreadableCsv } from './parse.ts'
import { type FileViolations, violation } from './violations.ts'
import { type RowToWrite, tryRows, writeRows } from './write-rows.ts'

/** The result of an import. */
export interface Imported {
  readonly rows: number
  readonly created: number
  /** Rows that an earlier request with the same key had written. */
  readonly replayed: number
  /** In a dry run: their ids. */
  readonly ids?: readonly (string | number)[]
}

interface FileToImport {
  readonly bytes: Uint8Array
  readonly isDryRun: boolean
  /** What is wrong with the rest of the request so far. */
  readonly violations: FileViolations
}

const MAX_ROWS = 10_000
/** Rows checked between turns of other requests. */
const ROWS_AT_ONCE = 250

/**
 * Checks every row of a file, then writes them all. Throws validation_failed with everything that is wrong, before
 * anything is written; and what writeRows throws.
 */
export async function importFile<Row, New>(
  kind: CsvImport<Row, New>,
  { bytes, isDryRun, violations }: FileToImport,
  calls: ImportCalls,
): Promise<Imported> {
  const rows = await checkRows(kind, bytes, violations, calls)
  // Where earlier rows aren't searched for, none of an invalid file can have been written.
  violations.check(rows.filter(({ fields }) => fields === undefined).length)
  const { commitOf } = calls
  const findEarlier = async (some: readonly RowToWrite<unknown>[]) => {
    if (commitOf === undefined) return []
    const commits = some.map(({ number }) => commitOf(number))
    return await kind.findEarlier(commits, calls)
  }
  if (isDryRun) return await tryRows(rows, findEarlier)
  return await writeRows(rows, async (row, fields) => {
    await calls.checkKey()
    return await calls.inTime(kind.create(fields, calls.context(row)), true)
  })
}

/** The valid rows. Collects the violations of the others, in the order of lines. */
async function checkRows<Row, New>(
  kind: CsvImport<Row, New>,
  bytes: Uint8Array,
  violations: FileViolations,
  calls: ImportCalls,
): Promise<readonly RowToWrite<New>[]> {
  const judge = await kind.judge(calls)
  const rows: RowToWrite<New>[] = []
  let count = 0
  for await (const { header, records } of readFile(bytes, kind.rule.columns, violations)) {
    const batch = await mapInGroups(records, ROWS_AT_ONCE, async ({ line, cells }) => {
      return { line, number: ++count, row: kind.rule.read(cells, header) }
    })
    const valid = batch.flatMap(({ line, number, row }) =>
      row.type === 'valid' ? [{ line, number, fields: row.fields }] : [],
    )
    const verdicts = (await judge(valid)).values()
    for (const { line, number, row } of batch) {
      const verdict = row.type === 'invalid' ? row : verdicts.next().value
      if (verdict === undefined) throw new Error('a row was not judged')
      if (verdict.type === 'invalid') violations.addRow(line, verdict.violations)
      else rows.push({ line, number, fields: undefined, ...verdict })
    }
  }
  return rows
}

/** Whether a row has content, if only a pair of quotes: files of spreadsheets may end with empty rows. */
const hasCells = (cells: readonly string[]): boolean => cells.length === 1 || cells.some((cell) => cell.trim() !== '')

/** The rows with content, batch by batch, as far as the file can be read. */
async function* readFile(bytes: Uint8Array, columns: ColumnRule, violations: FileViolations) {
  let header: Header | undefined
  let count = 0
  try {
    for await (const batch of parseCsv(bytes)) {
      let records = batch
      if (header === undefined && batch.length > 0) {
        header = readHeader(batch[0]?.cells, columns)
        violations.addRow(1, header.violations)
        records = batch.slice(1)
      }
      if (header === undefined) continue
      records = records.filter(({ cells }) => hasCells(cells))
      const tooMany = records[MAX_ROWS - count]
      yield { header, records: records.slice(0, MAX_ROWS - count) }
      count += records.length
      if (tooMany) return violations.addRow(tooMany.line, [TOO_MANY])
    }
    if (header === undefined) violations.addRow(1, readHeader([], columns).violations)
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error
    violations.addRow(error.line, [violation('', error.code, error.message)])
  }
}

const TOO_MANY = violation(
  '',
  'too_many_rows',
  `The file has more than ${grouped(MAX_ROWS)} rows. Cut it into several, or use cli/mint import-csv, which does.`,
)
