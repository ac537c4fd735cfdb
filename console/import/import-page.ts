import { html, nothing, type TemplateResult } from 'lit-html'
import { createLoader, type Loader } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import type { RecordKind } from '../records/kinds.ts'
import { showFileChoice } from './choose-file.ts'
import { type CsvFile, openCsvFile } from './csv-file.ts'
import { createFileSteps } from './file-steps.ts'
import { type ImportKind, importKinds } from './kinds.ts'
import { notations } from './notations.ts'
import { type FileSheet, isSheetFile, openSheet, readSheets } from './sheet-file.ts'
import { explainImport } from './show-run.ts'

/** Imports Excel and CSV files of the kind of record that the address names. */
export function importPage(context: PageContext): Page {
  const { document, query, setQuery, announce } = context
  const kinds = importKinds(document)
  const steps = createFileSteps(context)
  let chosen: File | undefined
  /** The sheets of an Excel file, of which one is imported. */
  let sheets: readonly FileSheet[] = []
  let sheet: FileSheet | undefined
  let shownKind = importKind()
  const opened = createLoader<CsvFile | undefined>(async () => {
    if (!chosen) return undefined
    const wanted = chosen
    if (sheet === undefined && isSheetFile(wanted)) {
      const found = await readSheets(wanted)
      // Another file may have been chosen meanwhile.
      if (chosen !== wanted) return undefined
      ;[sheets, sheet] = [found, found[0] ?? { name: '', rows: [] }]
    }
    const file = sheet ? await openSheet(wanted.name, sheet, notations) : await openCsvFile(wanted, notations)
    steps.guess(file, importKind())
    steps.forgetAnswers()
    announce(text('import.opened', { name: file.name, columns: file.columns.length, rows: file.rows }))
    return file
  }, context)

  function importKind(): ImportKind {
    return kinds.all.find(({ kind }) => kind.many === query().kind) ?? kinds.first
  }

  function choose(file: File): void {
    steps.clear()
    chosen = file
    ;[sheets, sheet] = [[], undefined]
    void opened.load()
  }

  function chooseSheet(name: string): void {
    steps.clear()
    sheet = sheets.find((one) => one.name === name)
    void opened.load()
  }

  const chooseKind = (kind: RecordKind) => setQuery({ kind: kind.many }, 'replace')

  function view(): TemplateResult {
    const file = opened.value()
    const isDisabled = steps.isRunning()
    return html`<fieldset class="import-kinds" ?disabled=${isDisabled}>
        <legend>${text('import.whatItHas')}</legend>
        ${kinds.all.map(({ kind }) => showKindChoice(kind, importKind().kind === kind, chooseKind))}
      </fieldset>
      ${showFileChoice(isDisabled, choose)}
      ${showOpening(opened, chosen?.name ?? '')}
      ${sheets.length < 2 ? nothing : showSheetChoice(sheets, { sheet, isDisabled, chosen: chooseSheet })}
      ${file ? steps.view(file, importKind()) : nothing}`
  }

  return {
    title: () => text('import.title'),
    view,
    hasUnsavedInput: steps.isRunning,
    queryChanged() {
      if (importKind() === shownKind) return
      shownKind = importKind()
      steps.clear()
      const file = opened.value()
      if (file) steps.guess(file, shownKind)
    },
  }
}

function showOpening(opened: Loader<unknown>, name: string): TemplateResult {
  const problem = opened.problem()
  return html`${opened.isLoading() ? html`<p class="quiet">${text('import.reading', { name })}</p>` : nothing}
    ${problem === undefined ? nothing : html`<div class="problem" role="alert"><p>${explainImport(problem)}</p></div>`}`
}

interface SheetChoice {
  readonly sheet: FileSheet | undefined
  readonly isDisabled: boolean
  readonly chosen: (name: string) => void
}

function showSheetChoice(sheets: readonly FileSheet[], { sheet, isDisabled, chosen }: SheetChoice): TemplateResult {
  return html`<div class="filter sheet-choice">
    <label for="sheet">${text('import.sheet')}</label>
    <select id="sheet" ?disabled=${isDisabled} @change=${(event: Event) => chosen((event.target as HTMLSelectElement).value)}>
      ${sheets.map((one) => html`<option value=${one.name} ?selected=${one === sheet}>${one.name}</option>`)}
    </select>
  </div>`
}

function showKindChoice(kind: RecordKind, isChosen: boolean, chosen: (kind: RecordKind) => void): TemplateResult {
  return html`<label class="choice"><input type="radio" name="kind" .checked=${isChosen} @change=${() => chosen(kind)}> ${kind.title}</label>`
}
