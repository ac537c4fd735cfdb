import { html, nothing, type TemplateResult } from 'lit-html'
import { decimals } from '../format/formats.ts'
import { createLoader, type Loader } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import type { RecordKind } from '../records/kinds.ts'
import { areNames } from './columns.ts'
import { createFileSteps, type FileSteps } from './file-steps.ts'
import { type ImportKind, importKinds } from './kinds.ts'
import { notations } from './notations.ts'
import { type CsvFile, type FileSheet, isSheetFile, openCsvFile, openSheet, readSheets } from './open-file.ts'
import { explainImport } from './show-run.ts'

/** Imports Excel and CSV files of the kind of record that the address names. */
export function importPage(context: PageContext): Page {
  const { document, query, setQuery, announce } = context
  const kinds = importKinds(document)
  let chosen: File | undefined
  /** The sheets of an Excel file, of which one is imported. */
  let sheets: readonly FileSheet[] = []
  let sheet: FileSheet | undefined
  let steps: FileSteps | undefined
  let shownKind = importKind()
  const opened = createLoader<CsvFile | undefined>(async (signal) => {
    if (!chosen) return undefined
    if (sheet === undefined && isSheetFile(chosen)) {
      const found = await readSheets(chosen)
      signal.throwIfAborted()
      ;[sheets, sheet] = [found, found[0] ?? { name: '', rows: [] }]
    }
    const file = await (sheet
      ? openSheet(chosen.name, sheet, notations, areNamesOfAny)
      : openCsvFile(chosen, notations, areNamesOfAny))
    signal.throwIfAborted()
    begin(file)
    announce(text('import.opened', { name: file.name, columns: file.columns.length, rows: file.rows }))
    return file
  }, context)

  /** Another kind may be chosen once the file is open. */
  function areNamesOfAny(cells: readonly string[]): boolean {
    return kinds.all.some(({ fields }) => areNames(cells, fields, decimals))
  }

  function importKind(): ImportKind {
    return kinds.all.find(({ kind }) => kind.many === query().kind) ?? kinds.first
  }

  function begin(file: CsvFile): void {
    steps?.close()
    shownKind = importKind()
    steps = createFileSteps(file, shownKind, context)
  }

  function open(): void {
    steps?.close()
    steps = undefined
    void opened.load()
  }

  function choose(file: File): void {
    chosen = file
    ;[sheets, sheet] = [[], undefined]
    open()
  }

  function chooseSheet(name: string): void {
    sheet = sheets.find((one) => one.name === name)
    open()
  }

  const chooseKind = (kind: RecordKind) => setQuery({ kind: kind.many }, 'replace')
  const isRunning = () => steps?.isRunning() ?? false

  function view(): TemplateResult {
    const isDisabled = isRunning()
    return html`<fieldset class="import-kinds" ?disabled=${isDisabled}>
        <legend>${text('import.whatItHas')}</legend>
        ${kinds.all.map(({ kind }) => showKindChoice(kind, importKind().kind === kind, chooseKind))}
      </fieldset>
      ${showFileChoice(isDisabled, choose)}
      ${showOpening(opened, chosen?.name ?? '')}
      ${sheets.length < 2 ? nothing : showSheetChoice(isDisabled)}
      ${steps?.view()}`
  }

  function showSheetChoice(isDisabled: boolean): TemplateResult {
    return html`<div class="filter sheet-choice">
      <label for="sheet">${text('import.sheet')}</label>
      <select id="sheet" ?disabled=${isDisabled} @change=${(event: Event) => chooseSheet((event.target as HTMLSelectElement).value)}>
        ${sheets.map((one) => html`<option value=${one.name} ?selected=${one === sheet}>${one.name}</option>`)}
      </select>
    </div>`
  }

  return {
    title: () => text('import.title'),
    view,
    hasUnsavedInput: isRunning,
    queryChanged() {
      const file = opened.value()
      if (file && steps && importKind() !== shownKind) begin(file)
    },
  }
}

function showKindChoice(kind: RecordKind, isChosen: boolean, chosen: (kind: RecordKind) => void): TemplateResult {
  return html`<label class="choice"><input type="radio" name="kind" .checked=${isChosen} @change=${() => chosen(kind)}> ${kind.title}</label>`
}

/** The input for a file, which is chosen or dropped there. */
function showFileChoice(isDisabled: boolean, chosen: (file: File) => void): TemplateResult {
  const change = (event: Event) => {
    const [file] = (event.target as HTMLInputElement).files ?? []
    if (file) chosen(file)
  }
  /** Lets the same file be chosen again. */
  const forget = (event: Event) => {
    ;(event.target as HTMLInputElement).value = ''
  }
  return html`<div class="file">
    <label for="file">${text('import.file')}</label>
    <input id="file" type="file" accept=".xlsx,.csv,.tsv,.txt,text/csv" aria-describedby="file-hint" ?disabled=${isDisabled} @click=${forget} @dragenter=${forget} @change=${change}>
    <p class="hint" id="file-hint">${text('import.fileHint')}</p>
  </div>`
}

function showOpening(opened: Loader<unknown>, name: string): TemplateResult {
  const problem = opened.problem()
  return html`${opened.isLoading() ? html`<p class="quiet">${text('import.reading', { name })}</p>` : nothing}
    ${problem === undefined ? nothing : html`<div class="problem" role="alert"><p>${explainImport(problem)}</p></div>`}`
}
