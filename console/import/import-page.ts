import { html, nothing, type TemplateResult } from 'lit-html'
import { OVERRIDE_SCOPE, showOverrideReason } from '../closing/override-reason.ts'
import type { Mapping } from '../csv/sent-rows.ts'
import { decimals } from '../format/formats.ts'
import { createLoader } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { showFileChoice } from './choose-file.ts'
import { guessMapping, mappingProblem } from './columns.ts'
import { type CsvFile, openCsvFile } from './csv-file.ts'
import { isInQuestion } from './evidence.ts'
import { createImportRuns, type ImportRun } from './import-run.ts'
import { type ImportKind, importKinds } from './kinds.ts'
import { notations } from './notations.ts'
import { showMapping } from './show-mapping.ts'
import { explainImport, showRun } from './show-run.ts'
import { showSpelling } from './show-spelling.ts'
import { readCell, type SpellingAnswers, spelledColumns } from './spelled-columns.ts'

/** Imports CSV files: columns are mapped to fields, every row is checked, then all are written. */
export function importPage(context: PageContext): Page {
  const { document, query, setQuery, link, update, announce, hasScope } = context
  const kinds = importKinds(document)
  const runs = createImportRuns(context)
  let chosen: File | undefined
  let mapping: Mapping = []
  let answers: SpellingAnswers = {}
  /** Why rows are to be written into closed time. It is of what was checked, and asked for again with anything else. */
  let overrideReason = ''
  let shownKind = importKind()
  const opened = createLoader<CsvFile | undefined>(async () => {
    if (!chosen) return undefined
    const file = await openCsvFile(chosen, notations)
    mapping = guessMapping(file.columns, importKind().fields)
    answers = {}
    announce(`${file.name}: ${file.columns.length} columns, ${file.rows} rows.`)
    return file
  }, context)

  function importKind(): ImportKind {
    return kinds.all.find(({ kind }) => kind.many === query().kind) ?? kinds.first
  }

  function clear(): void {
    runs.clear()
    overrideReason = ''
  }

  function choose(file: File): void {
    clear()
    chosen = file
    void opened.load()
  }

  const isRunning = () => runs.current()?.phase === 'running'

  function view(): TemplateResult {
    const file = opened.value()
    return html`<fieldset class="import-kinds" ?disabled=${isRunning()}>
        <legend>What the file has</legend>
        ${kinds.all.map(kindChoice)}
      </fieldset>
      ${showFileChoice({ isDisabled: isRunning(), chosen: choose })}
      ${opened.isLoading() ? html`<p class="quiet">Reading ${chosen?.name}…</p>` : nothing}
      ${opened.problem() === undefined ? nothing : html`<div class="problem" role="alert"><p>${explainImport(opened.problem())}</p></div>`}
      ${file ? fileView(file) : nothing}`
  }

  function kindChoice({ kind }: ImportKind): TemplateResult {
    const change = () => setQuery({ kind: kind.many }, 'replace')
    return html`<label class="choice"><input type="radio" name="kind" .checked=${importKind().kind === kind} @change=${change}> ${kind.title}</label>`
  }

  function fileView(file: CsvFile): TemplateResult {
    const kind = importKind()
    const { many } = kind.kind
    const run = runs.current()
    const spelled = spelledColumns(file, kind.fields, mapping, answers)
    const open = spelled.find(({ spelling }) => spelling === undefined)
    const problem =
      mappingProblem(mapping, kind.fields, kind.required) ??
      (open && `Choose how to read ${open.name}: its values are ambiguous.`)
    const read = (cell: string, index: number) => readCell(spelled, cell, index)
    const start = (isCheck: boolean) =>
      void runs.start(isCheck, { many, file, mapping, read, overrideReason: overrideReason.trim() })
    const needsReason = run !== undefined && isInClosedTime(run) && hasScope(OVERRIDE_SCOPE)
    return html`<section aria-labelledby="columns">
      <h2 id="columns"><bdi>${file.name}</bdi>: ${file.rows === 1 ? 'one row' : `${decimals.plain(file.rows)} rows`}</h2>
      <fieldset class="plain-fieldset" ?disabled=${isRunning()}>
        ${showMapping({ file, fields: kind.fields, mapping, changed: (next) => changed(() => (mapping = next)) })}
        ${spelled.filter(({ tally }) => isInQuestion(tally)).map((question) => showSpelling(question, (answer) => changed(() => (answers = { ...answers, [question.index]: answer }))))}
      </fieldset>
      <p class="field-problem" role="status">${problem ?? ''}</p>
      ${needsReason ? askForReason() : nothing}
      ${run && !needsReason ? nothing : html`<div class="form-end check-file"><button type="button" class="primary" ?disabled=${problem !== undefined || file.rows === 0} @click=${() => start(true)}>Check the file</button></div>`}
    </section>
    ${run ? showRun(run, { file, importKind: kind, listLink: link(`/${many}`), write: () => start(false), stop: runs.stop }) : nothing}`
  }

  function askForReason(): TemplateResult {
    const changed = (text: string) => (overrideReason = text)
    return html`<div class="warning">
      <p>Rows with a service date in closed time require a reason, which appears in the history of their contracts. Enter it, then check the file again.</p>
      ${showOverrideReason({ label: 'Reason for importing anyway', reason: overrideReason, changed, document })}
    </div>`
  }

  function changed(change: () => void): void {
    change()
    clear()
    update()
  }

  return {
    title: () => 'Import',
    view,
    hasUnsavedInput: isRunning,
    queryChanged() {
      if (importKind() === shownKind) return
      shownKind = importKind()
      clear()
      const file = opened.value()
      if (file) mapping = guessMapping(file.columns, shownKind.fields)
    },
  }
}

/** Whether rows are refused because the books are closed. */
const isInClosedTime = ({ phase, state }: ImportRun): boolean =>
  phase !== 'running' && state.wrong.some(({ code }) => code === 'period_closed')
