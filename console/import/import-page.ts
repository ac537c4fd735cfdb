import { html, nothing, type TemplateResult } from 'lit-html'
import { decimals } from '../format/formats.ts'
import { createLoader } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { showFileChoice } from './choose-file.ts'
import { guessMapping, type Mapping, mappingProblem } from './columns.ts'
import { type CsvFile, openCsvFile } from './csv-file.ts'
import { createImportRuns } from './import-run.ts'
import { type ImportKind, importKinds } from './kinds.ts'
import { showMapping } from './show-mapping.ts'
import { showRun } from './show-run.ts'
import { showSpelling } from './show-spelling.ts'
import { respell, type Spelling } from './spelling.ts'

/** Imports CSV files: columns are mapped to fields, every row is checked, then all are written. */
export function importPage(context: PageContext): Page {
  const { document, query, setQuery, link, update, announce } = context
  const kinds = importKinds(document)
  const runs = createImportRuns(context)
  let chosen: File | undefined
  let mapping: Mapping = []
  let spelling: Spelling | undefined
  let shownKind = importKind()
  const opened = createLoader<CsvFile | undefined>(async () => {
    if (!chosen) return undefined
    const file = await openCsvFile(chosen)
    mapping = guessMapping(file.columns, importKind().fields)
    spelling = file.spelling
    announce(`${file.name}: ${file.columns.length} columns, ${file.rows} rows.`)
    return file
  }, context)

  function importKind(): ImportKind {
    return kinds.find(({ kind }) => kind.many === query().kind) ?? kinds[1]
  }

  function choose(file: File): void {
    runs.clear()
    chosen = file
    void opened.load()
  }

  const isRunning = () => runs.current()?.phase === 'running'

  function view(): TemplateResult {
    const file = opened.value()
    return html`<fieldset class="import-kinds" ?disabled=${isRunning()}>
        <legend>What the file has</legend>
        ${kinds.map(kindChoice)}
      </fieldset>
      ${showFileChoice({ isDisabled: isRunning(), chosen: choose })}
      ${opened.isLoading() ? html`<p class="quiet">Reading ${chosen?.name}…</p>` : nothing}
      ${opened.problem() === undefined ? nothing : html`<div class="problem" role="alert"><p>${problemText(opened.problem())}</p></div>`}
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
    const problem = mappingProblem(mapping, kind.fields, kind.required)
    const shown = spelling ?? file.spelling
    const kindOf = (name: string | undefined) => kind.fields.find((field) => field.name === name)?.kind
    const read = (cell: string, name: string) => respell(cell, kindOf(name), shown)
    const start = (isCheck: boolean) => void runs.start(isCheck, { many, file, mapping, read })
    const changed = (next: { readonly mapping?: Mapping; readonly spelling?: Spelling }) => {
      mapping = next.mapping ?? mapping
      spelling = next.spelling ?? spelling
      runs.clear()
      update()
    }
    return html`<section aria-labelledby="columns">
      <h2 id="columns"><bdi>${file.name}</bdi>: ${file.rows === 1 ? 'one row' : `${decimals.plain(file.rows)} rows`}</h2>
      <fieldset class="plain-fieldset" ?disabled=${isRunning()}>
        ${showMapping({ file, fields: kind.fields, mapping, changed: (mapping) => changed({ mapping }) })}
        ${showSpelling({ kinds: mapping.map(kindOf), spelling: shown, changed: (spelling) => changed({ spelling }) })}
      </fieldset>
      <p class="field-problem" role="status">${problem ?? ''}</p>
      ${run ? nothing : html`<div class="form-end"><button type="button" class="primary" ?disabled=${problem !== undefined || file.rows === 0} @click=${() => start(true)}>Check the file</button></div>`}
    </section>
    ${run ? showRun(run, { file, importKind: kind, listLink: link(`/${many}`), write: () => start(false), stop: runs.stop }) : nothing}`
  }

  return {
    title: () => 'Import',
    view,
    hasUnsavedInput: isRunning,
    queryChanged() {
      if (importKind() === shownKind) return
      shownKind = importKind()
      runs.clear()
      const file = opened.value()
      if (file) mapping = guessMapping(file.columns, shownKind.fields)
    },
  }
}

const problemText = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))
