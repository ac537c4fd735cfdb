import { html, nothing, type TemplateResult } from 'lit-html'
import { explain, explainViolation } from '../api/explain.ts'
import { hasCode } from '../api/problem.ts'
import type { ImportProgress } from '../csv/import-file.ts'
import { CsvProblem } from '../csv/rows.ts'
import type { WrongRow } from '../csv/sent-rows.ts'
import { decimals } from '../format/formats.ts'
import { parts, text, textIfAny } from '../languages/texts.ts'
import { type Column, showTable } from '../lists/table.ts'
import { kindText } from '../records/kinds.ts'
import type { ImportField } from './columns.ts'
import type { ImportRun } from './import-run.ts'
import type { ImportKind } from './kinds.ts'
import type { CsvFile } from './open-file.ts'
import type { OtherFigure, OtherFigures } from './totals.ts'

/** The lines of rows that are valid, and probably not what is meant, by what is strange about them. */
export const noDoubts = () => ({ unusual: [] as number[], undated: [] as number[], smallTax: [] as number[] })

interface RunOptions {
  readonly file: CsvFile
  readonly importKind: ImportKind
  /** Figures of the file that differ from what Mint computes. */
  readonly others: OtherFigures
  /** The lines of rows that Mint has already. */
  readonly present: readonly number[]
  readonly doubts: ReturnType<typeof noDoubts>
  /** Where the list is. */
  readonly listLink: string
  readonly write: () => void
  readonly stop: () => void
}

/** The progress of an import, or its outcome. */
export function showRun(run: ImportRun, options: RunOptions): TemplateResult {
  if (run.phase === 'running') return showProgress(run, options)
  if (run.phase === 'stopped') return showStopped(run, options)
  if (run.state.errors > 0) return showWrong(run, options)
  return run.isCheck ? showChecked(run, options) : showWritten(run, options)
}

function showProgress({ isCheck, state }: ImportRun, { file, stop }: RunOptions): TemplateResult {
  const values = { done: state.done, count: file.rows }
  return html`<div class="progress">
    <label for="progress">${text(isCheck ? 'import.checking' : 'import.importing', values)}</label>
    <progress id="progress" max=${file.rows} value=${state.done}></progress>
    <button type="button" @click=${stop}>${text('import.stop')}</button>
  </div>`
}

function showStopped(run: ImportRun, { write }: RunOptions): TemplateResult {
  const { isCheck, state, problem } = run
  // The key of a request is derived from the file, and Mint accepts nothing else under it.
  if (hasCode(problem, 'idempotency_key_reused')) {
    return html`<div class="problem" role="alert"><p>${text('import.otherColumns')}</p></div>`
  }
  const values = { written: writtenText(state), sameKey: html`<b>${text('import.sameKey')}</b>` }
  return html`<div class=${problem === undefined ? 'notice' : 'problem'} role="alert">
    ${problem === undefined ? nothing : html`<p>${explainImport(problem)}</p>`}
    ${
      isCheck
        ? html`<p>${text('import.nothingImported')}</p>`
        : html`<p>${parts('import.stopped', values)}</p>
      <button type="button" class="primary" @click=${write}>${text('word.resume')}</button>`
    }
  </div>`
}

const writtenText = ({ written, mayBeMore }: ImportProgress): string =>
  text(mayBeMore ? 'import.writtenAtLeast' : 'import.written', { count: written })

/** Why a file can’t be read, or an import stopped. */
export function explainImport(problem: unknown): string {
  if (!(problem instanceof CsvProblem)) return explain(problem)
  const said = explainViolation(problem)
  return problem.line === undefined ? said : text('import.atLine', { line: problem.line, problem: said })
}

function showWrong(run: ImportRun, { importKind }: RunOptions): TemplateResult {
  return html`<div class="problem" role="alert">
      <p><b>${text('import.errors', { count: run.state.errors })}</b> ${whatToDo(run)}</p>
    </div>
    ${showWrongRows(run.state, importKind.fields)}`
}

/** A corrected file would be another import, which would create again what this one has written. */
function whatToDo({ state }: ImportRun): string {
  if (state.written === 0 && !state.mayBeMore) return text('import.correctFile')
  return text('import.resumeLater', { written: writtenText(state) })
}

function showChecked(
  { state }: ImportRun,
  { file, importKind, others, present, doubts, listLink, write }: RunOptions,
): TemplateResult {
  const { created, replayed } = state
  if (created === 0 && replayed > 0) {
    const show = html`<a href=${listLink}>${kindText('import.show', importKind.kind)}</a>`
    return html`<p class="notice">${text('import.allImported', { count: file.rows })} ${show}</p>`
  }
  return html`${others.count === 0 ? nothing : showOtherFigures(others)}
    ${present.length === 0 ? nothing : showWarning(text('import.present', { count: present.length, rows: file.rows }), text('import.presentAdvice', { lines: linesText(present) }))}
    ${Object.entries(doubts).map(([name, lines]) => (lines.length === 0 ? nothing : showDoubt(name as keyof typeof doubts, lines)))}
    <div class="notice">
      <p><b>${text('import.rowsValid', { count: file.rows })}</b> ${text('import.nothingYet')}
        ${replayed === 0 ? nothing : text('import.someBefore', { count: replayed })}</p>
      <button type="button" class="primary" @click=${write}>${text('import.importRows', { count: created })}</button>
    </div>`
}

function showWritten({ state }: ImportRun, { file, importKind, listLink }: RunOptions): TemplateResult {
  const { created, replayed } = state
  return html`<div class="notice">
    <p><b>${text('import.done', { count: file.rows })}</b> ${kindText('import.created', importKind.kind, { count: created })}
      ${replayed === 0 ? nothing : text('import.importedBefore', { count: replayed })}</p>
    <p><a href=${listLink}>${kindText('import.show', importKind.kind)}</a></p>
  </div>`
}

/** What is wrong, each with its line and what is written there. */
function showWrongRows({ wrong, errors }: ImportProgress, fields: readonly ImportField[]): TemplateResult {
  const columns: readonly Column<WrongRow>[] = [
    [text('import.line'), ({ line }) => (line === undefined ? '–' : decimals.plain(line)), 'number'],
    [text('word.field'), ({ field }) => labelOf(field, fields)],
    [text('import.whatIsWrong'), (row) => textIfAny(`import.wrong.${row.code}`) ?? explainViolation(row)],
    [text('import.theRow'), (row) => html`<code class="row-text"><bdi>${row.text}</bdi></code>`],
  ]
  return html`${showTable({ caption: text('import.wrongCaption'), columns, rows: wrong })}
  ${showRest(errors - wrong.length)}`
}

const labelOf = (name: string, fields: readonly ImportField[]): string =>
  name === '' ? text('import.wholeRow') : (fields.find((field) => field.name === name)?.label ?? name)

/** Warns of figures in the file that differ from what Mint computes. */
function showOtherFigures({ count, first }: OtherFigures): TemplateResult {
  const columns: readonly Column<OtherFigure>[] = [
    [text('import.line'), ({ line }) => decimals.plain(line), 'number'],
    [text('import.figure'), ({ field }) => text(field === 'tax' ? 'word.tax' : 'field.totalFeeWithTax')],
    [text('import.inFile'), ({ inFile }) => decimals.exact(inFile), 'amount'],
    [text('import.computed'), ({ computed }) => decimals.exact(computed), 'amount'],
  ]
  return html`${showWarning(text('import.figuresDiffer', { count }), text('import.figuresAdvice'))}
    ${showTable({ caption: text('import.figuresCaption'), columns, rows: first })}
    ${showRest(count - first.length)}`
}

const showDoubt = (name: keyof ReturnType<typeof noDoubts>, lines: readonly number[]): TemplateResult =>
  showWarning(text(`import.doubt.${name}`), text(`import.advice.${name}`, { lines: linesText(lines) }))

const showWarning = (what: string, advice: string): TemplateResult =>
  html`<div class="warning" role="alert"><p><b>${what}</b> ${advice}</p></div>`

function linesText(lines: readonly number[]): string {
  const first = lines.slice(0, MAX_LINES).map(decimals.plain).join(' · ')
  return lines.length > MAX_LINES ? `${first} …` : first
}

/** As many line numbers as fit into a sentence. */
const MAX_LINES = 20

/** How many rows a table has no room for. */
const showRest = (count: number): TemplateResult | typeof nothing =>
  count === 0 ? nothing : html`<p class="range">${text('lists.andMore', { count })}</p>`
