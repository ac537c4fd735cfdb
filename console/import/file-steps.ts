import { html, nothing, type TemplateResult } from 'lit-html'
import { OVERRIDE_SCOPE, showOverrideReason } from '../closing/reason.ts'
import { createImportCorrection } from '../corrections/correct-import.ts'
import type { ImportedFile } from '../corrections/imported-contracts.ts'
import type { Mapping } from '../csv/sent-rows.ts'
import { decimals } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { contracts } from '../records/kinds.ts'
import { guessMapping, mappingProblem } from './columns.ts'
import type { CsvFile } from './csv-file.ts'
import { isInQuestion } from './evidence.ts'
import { createImportRuns, type ImportRun } from './import-run.ts'
import type { ImportKind } from './kinds.ts'
import { showMapping } from './show-mapping.ts'
import { showRun } from './show-run.ts'
import { showSpelling } from './show-spelling.ts'
import { readCell, type SpellingAnswers, spelledColumns } from './spelled-columns.ts'

/** The steps of importing a file: its columns are mapped to fields, every row is checked, then all are written. */
export function createFileSteps(context: PageContext) {
  const { document, link, update, hasScope } = context
  const runs = createImportRuns(context)
  /** Of the file that was imported, once it was. */
  let correction: ReturnType<typeof createImportCorrection> | undefined
  let mapping: Mapping = []
  let answers: SpellingAnswers = {}
  /** Why rows are to be written into closed time. It is of what was checked, and asked for again with anything else. */
  let overrideReason = ''

  const isRunning = () => runs.current()?.phase === 'running' || (correction?.isRunning() ?? false)

  function clear(): void {
    runs.clear()
    correction = undefined
    overrideReason = ''
  }

  function changed(change: () => void): void {
    change()
    clear()
    update()
  }

  function guess({ columns }: CsvFile, { fields }: ImportKind): void {
    mapping = guessMapping(columns, fields)
  }

  function view(file: CsvFile, importKind: ImportKind): TemplateResult {
    const { fields, required } = importKind
    const { many } = importKind.kind
    const run = runs.current()
    const spelled = spelledColumns(file, fields, mapping, answers)
    const open = spelled.find(({ spelling }) => spelling === undefined)
    const problem =
      mappingProblem(mapping, fields, required) ??
      (open && `Choose how to read ${open.name}: its values are ambiguous.`)
    const read = (cell: string, index: number) => readCell(spelled, cell, index)
    const start = (isCheck: boolean) => {
      correction = undefined
      void runs.start(isCheck, { many, file, mapping, read, overrideReason: overrideReason.trim() })
    }
    const needsReason = run !== undefined && isInClosedTime(run) && hasScope(OVERRIDE_SCOPE)
    return html`<section aria-labelledby="columns">
      <h2 id="columns"><bdi>${file.name}</bdi>: ${file.rows === 1 ? 'one row' : `${decimals.plain(file.rows)} rows`}</h2>
      <fieldset class="plain-fieldset" ?disabled=${isRunning()}>
        ${showMapping({ file, fields, mapping, changed: (next) => changed(() => (mapping = next)) })}
        ${spelled.filter(({ tally }) => isInQuestion(tally)).map((question) => showSpelling(question, (answer) => changed(() => (answers = { ...answers, [question.index]: answer }))))}
      </fieldset>
      <p class="field-problem" role="status">${problem ?? ''}</p>
      ${needsReason ? askForReason() : nothing}
      ${run && !needsReason ? nothing : html`<div class="form-end check-file"><button type="button" class="primary" ?disabled=${problem !== undefined || file.rows === 0} @click=${() => start(true)}>Check the file</button></div>`}
    </section>
    ${run ? showRun(run, { file, importKind, listLink: link(`/${many}`), write: () => start(false), stop: runs.stop }) : nothing}
    ${run && isWritten(run) && importKind.kind === contracts ? correct({ file, mapping, read }) : nothing}`
  }

  function correct(imported: ImportedFile): TemplateResult {
    correction ??= createImportCorrection(imported, context)
    return correction.view()
  }

  function askForReason(): TemplateResult {
    return html`<div class="warning">
      <p>Rows with a service date in closed time require a reason, which appears in the history of their contracts. Enter it, then check the file again.</p>
      ${showOverrideReason({ label: 'Reason for importing anyway', reason: overrideReason, changed: (text) => (overrideReason = text) }, document)}
    </div>`
  }

  return { isRunning, clear, guess, forgetAnswers: () => (answers = {}), view }
}

/** Whether contracts may have to be corrected. */
const isWritten = ({ phase, state }: ImportRun): boolean => phase !== 'running' && state.written > 0

/** Whether rows are refused because the books are closed. */
const isInClosedTime = ({ phase, state }: ImportRun): boolean =>
  phase !== 'running' && state.wrong.some(({ code }) => code === 'period_closed')
