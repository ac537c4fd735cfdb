import { ApiProblem } from '../../console/api/problem.ts'
import { type CsvFile, readCsvFile } from '../../console/csv/csv-file.ts'
import { type ImportProgress, importFile, nothingImported } from '../../console/csv/import-file.ts'
import { CsvProblem } from '../../console/csv/rows.ts'
import type { Mapping } from '../../console/csv/sent-rows.ts'
import { computedNamesOf } from '../../shared/fields/field-table.ts'
import { grouped } from '../../shared/fields/rule.ts'
import { KINDS, type KindPlural } from '../../shared/kinds/registry.ts'
import type { Report } from '../admin/report.ts'
import { CommandFailure, EXIT } from '../exit.ts'
import type { InputFile } from '../input-file.ts'
import type { Api } from './api.ts'

interface ImportOptions {
  readonly many: string
  readonly file: CsvFile
  readonly mapping: Mapping
  readonly isDryRun: boolean
  /** Distinguishes imports of the same file. */
  readonly name: string | undefined
}

/** Reads a whole file. What came through a pipe stays in memory, since the rows are read again. Throws CommandFailure. */
export async function readFile(input: InputFile): Promise<CsvFile> {
  const chunks = input.isRepeatable ? input.chunks : inMemory(input)
  return await readCsvFile(chunks).catch((error) => {
    throw error instanceof CsvProblem ? failureOf(error) : error
  })
}

/** Holds each chunk as it is read for the first time: a row that never ends is then found before it fills the memory. */
function inMemory({ chunks }: InputFile): InputFile['chunks'] {
  const held: Buffer[] = []
  return async function* () {
    if (held.length > 0) return yield* held
    for await (const chunk of chunks()) {
      held.push(chunk)
      yield chunk
    }
  }
}

/**
 * Checks every row of a file, and writes them if none is wrong. Yields its progress; the last value is that of the
 * writing, or of the check in a dry run. Throws CommandFailure.
 */
export async function* importCsv(api: Api, options: ImportOptions, report: Report): AsyncGenerator<ImportProgress> {
  yield* run(api, options, report, true)
  if (!options.isDryRun) yield* run(api, options, report, false)
}

async function* run(api: Api, { isDryRun: _, ...options }: ImportOptions, report: Report, isCheck: boolean) {
  let last = nothingImported
  let areAllClosed = true
  try {
    for await (const progress of importFile(api.send, { ...options, isCheck })) {
      last = progress
      areAllClosed &&= progress.wrong.every(({ code }) => code === 'period_closed')
      report(isCheck ? 'Checking' : 'Importing', progress.done, options.file.rows)
      yield progress
    }
  } catch (error) {
    throw toFailure(error, last, api, options.file, isCheck)
  }
  if (last.errors > 0) throw refusal(whatToDo(last, options.file, areAllClosed), last, options.file)
}

function toFailure(error: unknown, last: ImportProgress, api: Api, file: CsvFile, isCheck: boolean): unknown {
  if (error instanceof CsvProblem) return failureOf(error)
  if (error instanceof ApiProblem && error.code === 'idempotency_key_reused') {
    return refusal(OTHER_FILE, last, file, error)
  }
  const reason = api.explain(error)
  if (reason === undefined) return error
  if (isCheck) return new CommandFailure(reason, { cause: error })
  return refusal(`${reason}\n${whatToDo(last, file)}`, last, file, error)
}

/** A file that can't be read. */
function failureOf(problem: CsvProblem): CommandFailure {
  const { line, message } = problem
  return new CommandFailure(line === undefined ? message : `line ${line}: ${message}`, { cause: problem })
}

/** Mint refused the import, or a part of it. `written` in its details is a lower bound if the exact number isn't known. */
function refusal(message: string, { written, errors }: ImportProgress, { rows }: CsvFile, cause?: unknown) {
  return new CommandFailure(message, { details: { rows, written, wrong: errors }, cause })
}

/** How much of a refused import is written, and what to do. `areAllClosed`: all wrong rows are in a closed period. */
function whatToDo({ written, mayBeMore, errors }: ImportProgress, { rows }: CsvFile, areAllClosed = false): string {
  if (written === 0 && !mayBeMore) {
    if (errors === 0) return 'Nothing was written.'
    return areAllClosed ? OVERRIDE : 'Correct the file, and import it again.'
  }
  if (written === 0) return `Rows may be written. ${RESUME}`
  const they = written === 1 ? 'is written, and stays' : 'are written, and stay'
  return `${mayBeMore ? 'At least ' : ''}${grouped(written)} of the ${grouped(rows)} rows of this import ${they}. ${RESUME}`
}

/** Another file has other keys: the rows that are written would be written twice. */
const RESUME =
  'Don’t change the file: remove the cause (reopen the books, restore the name of a client), and run the same command again, which resumes.'

const OVERRIDE =
  'Nothing was written. Give a reason in --override-closing, with a key that has the scope closing:override, or have the books reopened, and import it again.'

const OTHER_FILE =
  'This file was imported before, at least in part, with other columns, or another file was imported under this --key. To resume, use the same file and columns as then. With another --key, all rows of this file are created.'

/**
 * The field of each column: the one that `names` maps it to, or the one of the same name. A column that is mapped to ''
 * is left out, and so is what Mint computes, as in the console: from an exported file both send the same. Throws
 * CommandFailure.
 */
export function mappingOf({ columns }: CsvFile, many: KindPlural, names: ReadonlyMap<string, string>): Mapping {
  for (const name of names.keys()) {
    if (columns.includes(name)) continue
    const message = `--map ${name}: The file has no such column. It has: ${columns.join(', ')}.`
    throw new CommandFailure(message, { exitCode: EXIT.usage })
  }
  const table = Object.values(KINDS).find((kind) => kind.many === many)?.fields ?? {}
  const computed = computedNamesOf(table)
  return columns.map((column) => {
    const field = names.get(column)
    return field === '' || computed.includes(field ?? column) ? undefined : (field ?? column)
  })
}
