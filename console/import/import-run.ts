import { isAbort } from '../api/problem.ts'
import { overrideHeader } from '../closing/reason.ts'
import type { ReadRow } from '../csv/cells.ts'
import { type CsvFile, withRows } from '../csv/csv-file.ts'
import { type ImportProgress, importFile, nothingImported, type SendPiece } from '../csv/import-file.ts'
import type { Mapping, ReadCell } from '../csv/sent-rows.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import type { OtherFigure } from './totals.ts'

/** A file that is being imported: checked first, then written. */
export interface ImportRun {
  readonly isCheck: boolean
  /** `ended`: it got to the end of the file, though rows may be wrong. */
  readonly phase: 'running' | 'stopped' | 'ended'
  /** `wrong` has the errors so far, at most as many as anybody reads. */
  readonly state: ImportProgress
  /** Figures of the file that differ from what Mint computes: how many, and as many of them as anybody reads. */
  readonly others: { readonly count: number; readonly first: readonly OtherFigure[] }
  /** Why it stopped, unless somebody stopped it. */
  readonly problem: unknown
}

interface RunOptions {
  readonly many: string
  readonly file: CsvFile
  readonly mapping: Mapping
  readonly read: (cell: string, column: number) => ReadCell
  /** Why rows are written into a closed period; '' for none. */
  readonly overrideReason: string
  /** Finds figures of a row that differ from what Mint computes. */
  readonly compare?: ((row: ReadRow) => readonly OtherFigure[]) | undefined
}

/** As many errors as anybody reads. */
const MAX_WRONG = 200

/** Runs imports, one at a time. */
export function createImportRuns({ api, signal, update, announce }: PageContext) {
  let current: ImportRun | undefined
  let stopping = new AbortController()

  async function start(isCheck: boolean, options: RunOptions): Promise<void> {
    const own = new AbortController()
    stopping = own
    let run: ImportRun = { isCheck, phase: 'running', state: nothingImported, others: NO_OTHERS, problem: undefined }
    const show = (changes: Partial<ImportRun>) => {
      run = { ...run, ...changes }
      // Another file may have been chosen.
      if (stopping !== own) return
      current = run
      update()
    }
    show({})
    const see = (row: ReadRow) => {
      const found = options.compare?.(row) ?? []
      if (found.length === 0) return row
      const { count, first } = run.others
      run = { ...run, others: { count: count + found.length, first: [...first, ...found].slice(0, MAX_WRONG) } }
      return row
    }
    const file = options.compare ? withRows(options.file, see) : options.file
    const either = AbortSignal.any([own.signal, signal])
    const send: SendPiece = async ({ path, query, headers, text: rows }) => {
      const request = { query, body: new Blob([rows]), signal: either }
      const allHeaders = { ...headers, ...overrideHeader(options.overrideReason) }
      return (await api.request('POST', path, { ...request, headers: allHeaders })).body
    }
    try {
      for await (const { wrong, ...counts } of importFile(send, { ...options, file, isCheck, signal: either })) {
        show({ state: { ...counts, wrong: [...run.state.wrong, ...wrong].slice(0, MAX_WRONG) } })
      }
      show({ phase: 'ended' })
    } catch (error) {
      show({ phase: 'stopped', problem: isAbort(error) ? undefined : error })
    }
    if (stopping === own) announce(outcomeText(run, options.file.rows))
  }

  return {
    start,
    current: () => current,
    stop: () => stopping.abort(),
    /** Aborts the current run, and forgets it. */
    clear(): void {
      stopping.abort()
      stopping = new AbortController()
      current = undefined
    },
  }
}

const NO_OTHERS = { count: 0, first: [] }

function outcomeText({ isCheck, phase, state }: ImportRun, rows: number): string {
  if (phase === 'stopped') return text('import.stoppedAfter', { done: state.done, rows })
  if (state.errors > 0) return text('import.errors', { count: state.errors })
  return text(isCheck ? 'import.rowsValid' : 'import.done', { count: rows })
}
