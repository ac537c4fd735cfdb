import { html, nothing, type TemplateResult } from 'lit-html'
import { OVERRIDE_SCOPE, showOverrideReason } from '../closing/reason.ts'
import { createImportCorrection } from '../corrections/correct-import.ts'
import type { Mapping } from '../csv/sent-rows.ts'
import type { PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
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
  const correction = createImportCorrection(context)
  let mapping: Mapping = []
  let answers: SpellingAnswers = {}
  /** Why rows are to be written into closed time. It is of what was checked, and asked for again with anything else. */
  let overrideReason = ''

  const isRunning = () => runs.current()?.phase === 'running' || correction.isRunning()

  function clear(): void {
    runs.clear()
    correction.clear()
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
      mappingProblem(mapping, fields, required) ?? (open && text('import.chooseReading', { name: open.name }))
    const read = (cell: string, index: number) => readCell(spelled, cell, index)
    const start = (isCheck: boolean) =>
      void runs.start(isCheck, { many, file, mapping, read, overrideReason: overrideReason.trim() })
    const needsReason = run !== undefined && isInClosedTime(run) && hasScope(OVERRIDE_SCOPE)
    return html`<section aria-labelledby="columns">
      <h2 id="columns">${parts('import.heading', { name: html`<bdi>${file.name}</bdi>`, count: file.rows })}</h2>
      <fieldset class="plain-fieldset" ?disabled=${isRunning()}>
        ${showMapping({ file, fields, mapping, changed: (next) => changed(() => (mapping = next)) })}
        ${spelled.filter(({ tally }) => isInQuestion(tally)).map((question) => showSpelling(question, (answer) => changed(() => (answers = { ...answers, [question.index]: answer }))))}
      </fieldset>
      <p class="field-problem" role="status">${problem ?? ''}</p>
      ${needsReason ? askForReason() : nothing}
      ${run && !needsReason ? nothing : html`<div class="form-end check-file"><button type="button" class="primary" ?disabled=${problem !== undefined || file.rows === 0} @click=${() => start(true)}>${text('import.check')}</button></div>`}
    </section>
    ${run ? showRun(run, { file, importKind, listLink: link(`/${many}`), write: () => start(false), stop: runs.stop }) : nothing}
    ${run && isWritten(run) && importKind.kind === contracts ? correction.view({ file, mapping, read }) : nothing}`
  }

  function askForReason(): TemplateResult {
    return html`<div class="warning">
      <p>${text('import.reasonNeeded')}</p>
      ${showOverrideReason({ label: text('import.reasonLabel'), reason: overrideReason, changed: (reason) => (overrideReason = reason) }, document)}
    </div>`
  }

  return { isRunning, clear, guess, forgetAnswers: () => (answers = {}), view }
}

/** Whether contracts may have to be corrected. */
const isWritten = ({ phase, state }: ImportRun): boolean => phase !== 'running' && state.written > 0

/** Whether rows are refused because the books are closed. */
const isInClosedTime = ({ phase, state }: ImportRun): boolean =>
  phase !== 'running' && state.wrong.some(({ code }) => code === 'period_closed')
