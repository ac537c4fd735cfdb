import type { Api } from '../api/client.ts'
import { isAbort } from '../api/problem.ts'
import { overrideHeader } from '../closing/reason.ts'
import {
  type ImportOptions,
  type ImportProgress,
  importFile,
  nothingImported,
  type SendPiece,
} from '../csv/import-file.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'

/** A file that is being imported: checked first, then written. */
export interface ImportRun {
  readonly isCheck: boolean
  /** `ended`: it got to the end of the file, though rows may be wrong. */
  readonly phase: 'running' | 'stopped' | 'ended'
  /** `wrong` has the errors so far, at most as many as anybody reads. */
  readonly state: ImportProgress
  /** Why it stopped, unless somebody stopped it. */
  readonly problem: unknown
}

interface RunOptions extends Omit<ImportOptions, 'isCheck' | 'signal'> {
  /** Why rows are written into a closed period; '' for none. */
  readonly overrideReason: string
  /** What else a run does at the end of its file. */
  readonly finish?: (state: ImportProgress, signal: AbortSignal) => Promise<void>
}

/** As many rows of a table as anybody reads. */
export const MAX_SHOWN = 200

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
    const either = AbortSignal.any([own.signal, signal])
    const send = pieceSender(api, either, overrideHeader(options.overrideReason))
    try {
      for await (const { wrong, ...counts } of importFile(send, { ...options, isCheck, signal: either })) {
        show({ state: { ...counts, wrong: [...run.state.wrong, ...wrong].slice(0, MAX_SHOWN) } })
      }
      await options.finish?.(run.state, either)
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

/** Creates what sends the requests of an import, with these headers added. */
export function pieceSender(api: Api, signal: AbortSignal, added: Readonly<Record<string, string>> = {}): SendPiece {
  return async ({ path, query, headers, text: rows }) => {
    const request = { query, headers: { ...headers, ...added }, body: new Blob([rows]), signal }
    return (await api.request('POST', path, request)).body
  }
}

function outcomeText({ isCheck, phase, state }: ImportRun, rows: number): string {
  if (phase === 'stopped') return text('import.stoppedAfter', { done: state.done, rows })
  if (state.errors > 0) return text('import.errors', { count: state.errors })
  return text(isCheck ? 'import.rowsValid' : 'import.done', { count: rows })
}
