import { html, nothing, type TemplateResult } from 'lit-html'
import { explain } from '../api/explain.ts'
import { ApiProblem } from '../api/problem.ts'
import type { ImportProgress } from '../csv/import-file.ts'
import { CsvProblem } from '../csv/rows.ts'
import { decimals } from '../format/formats.ts'
import type { CsvFile } from './csv-file.ts'
import type { ImportRun } from './import-run.ts'
import type { ImportKind } from './kinds.ts'
import { showWrongRows } from './show-wrong-rows.ts'

interface RunOptions {
  readonly file: CsvFile
  readonly importKind: ImportKind
  /** Where the list is. */
  readonly listLink: string
  readonly write: () => void
  readonly stop: () => void
}

/** How far a file is, or what came of it. */
export function showRun(run: ImportRun, options: RunOptions): TemplateResult {
  if (run.phase === 'running') return showProgress(run, options)
  if (run.phase === 'stopped') return showStopped(run, options)
  if (run.state.errors > 0) return showWrong(run, options)
  return run.isCheck ? showChecked(run, options) : showWritten(run, options)
}

const rowsText = (count: number): string => (count === 1 ? 'one row' : `${decimals.plain(count)} rows`)

function showProgress({ isCheck, state }: ImportRun, { file, stop }: RunOptions): TemplateResult {
  return html`<div class="progress">
    <label for="progress">${isCheck ? 'Checking' : 'Importing'}: ${decimals.plain(state.done)} of ${rowsText(file.rows)}</label>
    <progress id="progress" max=${file.rows} value=${state.done}></progress>
    <button type="button" @click=${stop}>Stop</button>
  </div>`
}

function showStopped(run: ImportRun, { write }: RunOptions): TemplateResult {
  const { isCheck, state, problem } = run
  if (isOtherColumns(problem)) {
    return html`<div class="problem" role="alert"><p>This file was imported before, at least in part, with other columns chosen, or with numbers or dates read otherwise. To resume, choose both as they were then. Nothing was imported now.</p></div>`
  }
  return html`<div class=${problem === undefined ? 'notice' : 'problem'} role="alert">
    ${problem === undefined ? nothing : html`<p>${explainImport(problem)}</p>`}
    ${
      isCheck
        ? html`<p>Nothing was imported.</p>`
        : html`<p>Stopped. ${writtenText(state)} Resume, now or later with the same file: no row is imported twice. <b>Resume only with the same API key</b>, rotated or not: under another one, Mint would import all rows again.</p>
      <button type="button" class="primary" @click=${write}>Resume</button>`
    }
  </div>`
}

const writtenText = ({ written, mayBeMore }: ImportProgress): string =>
  `Imported so far: ${rowsText(written)} of the file${mayBeMore ? ', perhaps some more' : ''}.`

/** Why a file can’t be read, or an import stopped. */
export function explainImport(problem: unknown): string {
  if (!(problem instanceof CsvProblem)) return explain(problem)
  return problem.line === undefined ? problem.message : `Line ${decimals.plain(problem.line)}: ${problem.message}`
}

/** The key of a request follows from the file, and Mint takes nothing else under it. */
const isOtherColumns = (problem: unknown): boolean =>
  problem instanceof ApiProblem && problem.code === 'idempotency_key_reused'

function showWrong(run: ImportRun, { importKind }: RunOptions): TemplateResult {
  const count = run.state.errors
  return html`<div class="problem" role="alert">
      <p><b>${count === 1 ? 'One error' : `${decimals.plain(count)} errors`}.</b> ${whatToDo(run)}</p>
    </div>
    ${showWrongRows(run.state, importKind.fields)}`
}

/** A corrected file would be another import, which creates again what this one has written. */
function whatToDo({ state }: ImportRun): string {
  if (state.written === 0 && !state.mayBeMore) return 'Nothing was imported. Correct the file, then choose it again.'
  return `${writtenText(state)} Don’t change the file: remove the cause, then import it again, which resumes.`
}

function showChecked({ state }: ImportRun, { file, importKind, listLink, write }: RunOptions): TemplateResult {
  const { created, replayed } = state
  if (created === 0 && replayed > 0) {
    return html`<p class="notice">All ${rowsText(file.rows)} of this file are imported already. <a href=${listLink}>Show the ${importKind.kind.many}</a></p>`
  }
  return html`<div class="notice">
      <p><b>${file.rows === 1 ? 'The row is' : `All ${rowsText(file.rows)} are`} valid.</b> Nothing is imported yet.
        ${replayed === 0 ? nothing : `An earlier attempt has imported ${rowsText(replayed)} already; they are not imported twice.`}</p>
      <button type="button" class="primary" @click=${write}>Import ${rowsText(created)}</button>
    </div>`
}

function showWritten({ state }: ImportRun, { file, importKind, listLink }: RunOptions): TemplateResult {
  const { created, replayed } = state
  return html`<div class="notice">
    <p><b>Done: ${rowsText(file.rows)}.</b> ${decimals.plain(created)} ${created === 1 ? importKind.kind.one : importKind.kind.many} created${replayed === 0 ? '.' : `, ${decimals.plain(replayed)} ${replayed === 1 ? 'was' : 'were'} imported before.`}</p>
    <p><a href=${listLink}>Show the ${importKind.kind.many}</a></p>
  </div>`
}
