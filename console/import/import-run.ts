import { isAbort } from '../api/problem.ts'
import { decimals } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import type { Mapping } from './columns.ts'
import type { CsvFile } from './csv-file.ts'
import { type ImportState, importFile, nothingImported } from './import-file.ts'
import type { ReadCell } from './spelling.ts'

/** A file on its way: checked first, then written. */
export interface ImportRun {
  readonly isCheck: boolean
  /** `ended`: to its end, though rows may be wrong. */
  readonly phase: 'running' | 'stopped' | 'ended'
  readonly state: ImportState
  /** Why it stopped, unless somebody stopped it. */
  readonly problem: unknown
}

interface RunOptions {
  readonly many: string
  readonly file: CsvFile
  readonly mapping: Mapping
  readonly read: (cell: string, column: number) => ReadCell
  readonly overrideReason: string
}

/** Runs imports, one at a time. */
export function createImportRuns({ api, signal, update, announce }: PageContext) {
  let current: ImportRun | undefined
  let stopping = new AbortController()

  async function start(isCheck: boolean, options: RunOptions): Promise<void> {
    const own = new AbortController()
    stopping = own
    let run: ImportRun = { isCheck, phase: 'running', state: nothingImported, problem: undefined }
    const show = (changes: Partial<ImportRun>) => {
      run = { ...run, ...changes }
      // Another file may have been chosen.
      if (stopping !== own) return
      current = run
      update()
    }
    show({})
    try {
      for await (const state of importFile(api, { ...options, isCheck, signal: AbortSignal.any([own.signal, signal]) }))
        show({ state })
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
    /** Ends the one that runs, and forgets it. */
    clear(): void {
      stopping.abort()
      stopping = new AbortController()
      current = undefined
    },
  }
}

function outcomeText({ isCheck, phase, state }: ImportRun, rows: number): string {
  const errors = state.wrong.length + state.omitted
  if (phase === 'stopped') return `Stopped after ${decimals.plain(state.done)} of ${decimals.plain(rows)} rows.`
  if (state.wrong.length > 0) return errors === 1 ? 'One error.' : `${decimals.plain(errors)} errors.`
  if (isCheck) return 'All rows are valid.'
  return state.created === 1 ? 'One row is imported.' : `${decimals.plain(state.created)} rows are imported.`
}
