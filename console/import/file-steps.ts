import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApiDocument } from '../api/document.ts'
import { OVERRIDE_SCOPE, showReason } from '../closing/reason.ts'
import { createImportCorrection } from '../corrections/correct-import.ts'
import { withRows } from '../csv/csv-file.ts'
import type { ImportProgress } from '../csv/import-file.ts'
import type { Mapping } from '../csv/sent-rows.ts'
import { isUnusual } from '../fields/texts.ts'
import { amountDecimals, decimals } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import { contracts } from '../records/kinds.ts'
import { guessMapping, rememberedMapping } from './columns.ts'
import { createMissingClients } from './create-clients.ts'
import { createImportRuns, type ImportRun, MAX_SHOWN } from './import-run.ts'
import type { ImportKind } from './kinds.ts'
import { missingClients } from './missing-clients.ts'
import type { CsvFile } from './open-file.ts'
import { createPresence } from './present.ts'
import { keyOf, type Reading, readingOf, type SpellingAnswers } from './reading.ts'
import { showFirstRows, showMapping, showSpelling } from './show-file.ts'
import { noDoubts, showRun } from './show-run.ts'
import { fieldsIn, type OtherFigures, otherFigures, withTaxAsAmount } from './totals.ts'

/** The steps of importing a file: its columns are mapped to fields, every row is checked, then all are written. */
export function createFileSteps(file: CsvFile, importKind: ImportKind, context: PageContext) {
  const { api, link, update, hasScope, may } = context
  const { fields, kind } = importKind
  const runs = createImportRuns(context)
  const askToCreate = createMissingClients(context, () => {
    if (!isClosed) void start(true)
  })
  /** Whether another file was chosen. */
  let isClosed = false
  /** Of the file, once it was imported. */
  let correction: ReturnType<typeof createImportCorrection> | undefined
  let mapping = rememberedMapping.of(kind.many, file.columns, fields) ?? guess()
  let answers: SpellingAnswers = {}
  /** Figures of the file that differ from what Mint computes, as the last check found them. */
  let others: OtherFigures = { count: 0, first: [] }
  /** The lines of rows that Mint has already, as the last check found them. */
  let present: readonly number[] = []
  let doubts = noDoubts()
  /** Why rows are to be written into a closed period. It applies to what was checked, and is asked for again after a change. */
  let overrideReason = ''

  function guess(): Mapping {
    return withTaxAsAmount(guessMapping(file.columns, fields), file.samples, decimals.readings)
  }

  const isRunning = () => runs.current()?.phase === 'running' || (correction?.isRunning() ?? false)

  function changed(change: () => void): void {
    change()
    runs.clear()
    correction = undefined
    overrideReason = ''
    update()
  }

  async function start(isCheck: boolean): Promise<void> {
    const { sent, read, questions } = readingOf(file, importKind, mapping, answers)
    const isTaxAsked = questions.some(({ notation }) => notation.type === 'shares')
    const presence = createPresence({ mapping: sent, read })
    correction = undefined
    others = { count: 0, first: [] }
    present = []
    doubts = noDoubts()
    rememberedMapping.set(kind.many, file.columns, mapping)
    const compared = withRows(file, (row) => {
      const day = presence.see(row)
      const tax = Number(fieldsIn(row.cells, { mapping: sent, read })('taxPercent'))
      if (day !== '' && isUnusual(day)) doubts.unusual.push(row.line)
      if (day === '' && kind === contracts) doubts.undated.push(row.line)
      if (tax > 0 && tax < 1 && !isTaxAsked) doubts.smallTax.push(row.line)
      const found = otherFigures(row, { mapping, read, decimals: amountDecimals() })
      const { count, first } = others
      others = { count: count + found.length, first: first.length < MAX_SHOWN ? [...first, ...found] : first }
      return row
    })
    const finish = async ({ created }: ImportProgress, signal: AbortSignal) => {
      if (!isCheck || kind !== contracts || created < file.rows) return
      // Without an answer, there is no warning.
      present = await presence.find(api, signal).catch(() => [])
    }
    const options = { many: kind.many, mapping: sent, read, overrideReason: overrideReason.trim(), finish }
    await runs.start(isCheck, { ...options, file: isCheck ? compared : file })
  }

  function view(): TemplateResult {
    const run = runs.current()
    const { questions, problem, sent, read } = readingOf(file, importKind, mapping, answers)
    const missing = run?.phase === 'ended' ? missingClients(run.state.wrong, { mapping, ...file }) : []
    const isOffered = missing.length > 0 && may('/businesses.csv', 'POST')
    // Whether the clients that are offered are all that is missing.
    const isSolved = isOffered && run?.state.wrong.every(({ code }) => code === 'unknown_client')
    const needsReason = run !== undefined && isInClosedPeriod(run) && hasScope(OVERRIDE_SCOPE)
    const shown = { file, fields, mapping }
    return html`<section aria-labelledby="columns">
      <h2 id="columns">${parts('import.heading', { name: html`<bdi>${file.name}</bdi>`, count: file.rows })}</h2>
      ${file.headerLine === 1 ? nothing : html`<p class="notice">${text('import.namesIn', { line: file.headerLine })}</p>`}
      ${file.decoded === undefined ? nothing : html`<p class="warning">${parts('import.decoded', { cell: html`<b><bdi>${file.decoded}</bdi></b>` })}</p>`}
      <fieldset class="plain-fieldset" ?disabled=${isRunning()}>
        ${showMapping(shown, (next) => changed(() => (mapping = next)))}
        ${questions.map((question) => showSpelling(question, (answer) => changed(() => (answers = { ...answers, [keyOf(question)]: answer }))))}
      </fieldset>
      ${showFirstRows(shown, read)}
      <p class="field-problem" role="status">${problem ?? ''}</p>
    </section>
    <div class="outcome" tabindex="-1">
      ${needsReason ? askForReason(overrideReason, (reason) => (overrideReason = reason), context.document) : nothing}
      ${isOffered ? askToCreate(missing) : nothing}
      ${run && !needsReason ? nothing : html`<div class="form-end check-file"><button type="button" class="primary" ?disabled=${problem !== undefined || file.rows === 0} @click=${() => void start(true)}>${text('import.check')}</button></div>`}
      ${run && !isSolved ? showRun(run, { file, importKind, others, present, doubts, listLink: link(`/${kind.many}`), write: () => void start(false), stop: runs.stop }) : nothing}
    </div>
    ${run && isWritten(run) && kind === contracts ? correct({ sent, read }) : nothing}`
  }

  function correct({ sent, read }: Pick<Reading, 'sent' | 'read'>): TemplateResult {
    correction ??= createImportCorrection({ file, mapping: sent, read }, context)
    return correction.view()
  }

  function close(): void {
    isClosed = true
    runs.clear()
  }

  return { isRunning, view, close }
}

export type FileSteps = ReturnType<typeof createFileSteps>

function askForReason(reason: string, changed: (reason: string) => void, document: ApiDocument): TemplateResult {
  return html`<div class="warning">
    <p>${text('import.reasonNeeded')}</p>
    ${showReason({ label: text('import.reasonLabel'), reason, changed }, document)}
  </div>`
}

/** Whether contracts may have to be corrected. */
const isWritten = ({ phase, state }: ImportRun): boolean => phase !== 'running' && state.written > 0

/** Whether rows are refused because the books are closed. */
const isInClosedPeriod = ({ phase, state }: ImportRun): boolean =>
  phase !== 'running' && state.wrong.some(({ code }) => code === 'period_closed')
