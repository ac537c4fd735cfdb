import { html, nothing, type TemplateResult } from 'lit-html'
import { createLoader } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
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
  /** Those of an Excel file, of which one is imported. */
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

  function sheetChoice(isDisabled: boolean): TemplateResult | typeof nothing {
    if (sheets.length < 2) return nothing
    return html`<div class="filter sheet-choice">
      <label for="sheet">${text('import.sheet')}</label>
      <select id="sheet" ?disabled=${isDisabled} @change=${(event: Event) => chooseSheet((event.target as HTMLSelectElement).value)}>
        ${sheets.map((one) => html`<option value=${one.name} ?selected=${one === sheet}>${one.name}</option>`)}
      </select>
    </div>`
  }

  function view(): TemplateResult {
    const file = opened.value()
    const isDisabled = steps.isRunning()
    return html`<fieldset class="import-kinds" ?disabled=${isDisabled}>
        <legend>${text('import.whatItHas')}</legend>
        ${kinds.all.map(kindChoice)}
      </fieldset>
      ${showFileChoice({ isDisabled, chosen: choose })}
      ${opened.isLoading() ? html`<p class="quiet">${text('import.reading', { name: chosen?.name ?? '' })}</p>` : nothing}
      ${opened.problem() === undefined ? nothing : html`<div class="problem" role="alert"><p>${explainImport(opened.problem())}</p></div>`}
      ${sheetChoice(isDisabled)}
      ${file ? steps.view(file, importKind()) : nothing}`
  }

  function kindChoice({ kind }: ImportKind): TemplateResult {
    const change = () => setQuery({ kind: kind.many }, 'replace')
    return html`<label class="choice"><input type="radio" name="kind" .checked=${importKind().kind === kind} @change=${change}> ${kind.title}</label>`
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
