import { nothing, type TemplateResult } from 'lit-html'
import { isAbort } from '../api/problem.ts'
import { showProblem } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'

/** Saves CSV files of the API, one at a time. */
export interface Download {
  save(path: string, query: Readonly<Record<string, string | undefined>>, name: string): Promise<void>
  isSaving(): boolean
  /** What went wrong with the last one. */
  problem(): TemplateResult | typeof nothing
}

export function createDownload({ api, signal, update, announce }: PageContext): Download {
  let isSaving = false
  let problem: unknown
  return {
    async save(path, query, name) {
      isSaving = true
      problem = undefined
      update()
      try {
        saveFile(await api.file(path, { query: { ...query, bom: 'true' }, signal }), name)
        announce('The file is saved.')
      } catch (error) {
        if (!isAbort(error)) problem = error
      }
      isSaving = false
      update()
    },
    isSaving: () => isSaving,
    problem: () => (problem === undefined ? nothing : showProblem(problem)),
  }
}

/** Has the browser save a file under a name. */
function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // Once the browser has taken it over.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
