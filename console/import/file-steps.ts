import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApiDocument } from '../api/document.ts'
import { OVERRIDE_SCOPE, showOverrideReason } from '../closing/reason.ts'
import { createImportCorrection } from '../corrections/correct-import.ts'
import type { ImportedFile } from '../corrections/imported-contracts.ts'
import type { ReadRow } from '../csv/cells.ts'
import type { Mapping } from '../csv/sent-rows.ts'
import { amountDecimals, decimals } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import { contracts } from '../records/kinds.ts'
import { guessMapping } from './columns.ts'
import { createMissingClients } from './create-clients.ts'
import type { CsvFile } from './csv-file.ts'
import { createImportRuns, type ImportRun } from './import-run.ts'
import type { ImportKind } from './kinds.ts'
import { missingClients } from './missing-clients.ts'
import { type Reading, readingOf } from './reading.ts'
import { rememberedMapping } from './remembered-mapping.ts'
import { showFirstRows } from './show-first-rows.ts'
import { showMapping } from './show-mapping.ts'
import { showRun } from './show-run.ts'
import { keyOf, type SpellingAnswers, showSpelling } from './show-spelling.ts'
import { otherFigures, withTaxAsAmount } from './totals.ts'

/** The steps of importing a file: its columns are mapped to fields, every row is checked, then all are written. */
export function createFileSteps(context: PageContext) {
  const { document, link, update, hasScope, may } = context
  const runs = createImportRuns(context)
  /** Of the file, once it was imported. */
  let correction: ReturnType<typeof createImportCorrection> | undefined
  let mapping: Mapping = []
  let answers: SpellingAnswers = {}
  /** Why rows are to be written into a closed period. It applies to what was checked, and is asked for again after a change. */
  let overrideReason = ''

  /** Checks the file again. */
  let checkAgain = () => {}
  const askToCreate = createMissingClients(context, () => checkAgain())

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

  function guess({ columns, samples }: CsvFile, { fields, kind }: ImportKind): void {
    const guessed = () => withTaxAsAmount(guessMapping(columns, fields), samples, decimals.readings)
    mapping = rememberedMapping.of(kind.many, columns, fields) ?? guessed()
  }

  function view(file: CsvFile, importKind: ImportKind): TemplateResult {
    const { fields, kind } = importKind
    const run = runs.current()
    const { questions, problem, sent, read } = readingOf(file, importKind, mapping, answers)
    const start = (isCheck: boolean) => {
      correction = undefined
      rememberedMapping.set(kind.many, file.columns, mapping)
      const options = { many: kind.many, file, mapping: sent, read, overrideReason: overrideReason.trim() }
      const compare = isCheck ? comparison(mapping, { sent, read }) : undefined
      void runs.start(isCheck, { ...options, compare })
    }
    checkAgain = () => start(true)
    const missing = run?.phase === 'ended' ? missingClients(run.state.wrong, { mapping, ...file }) : []
    const isOffered = missing.length > 0 && may('/businesses.csv', 'POST')
    // Whether the clients that are offered are all that is missing.
    const isSolved = isOffered && run?.state.wrong.every(({ code }) => code === 'unknown_client')
    const needsReason = run !== undefined && isInClosedTime(run) && hasScope(OVERRIDE_SCOPE)
    return html`<section aria-labelledby="columns">
      <h2 id="columns">${parts('import.heading', { name: html`<bdi>${file.name}</bdi>`, count: file.rows })}</h2>
      <fieldset class="plain-fieldset" ?disabled=${isRunning()}>
        ${showMapping({ file, fields, mapping, changed: (next) => changed(() => (mapping = next)) })}
        ${questions.map((question) => showSpelling(question, (answer) => changed(() => (answers = { ...answers, [keyOf(question)]: answer }))))}
      </fieldset>
      ${showFirstRows({ file, fields, mapping, read })}
      <p class="field-problem" role="status">${problem ?? ''}</p>
      ${needsReason ? askForReason(overrideReason, (reason) => (overrideReason = reason), document) : nothing}
      ${isOffered ? askToCreate(missing) : nothing}
      ${run && !needsReason ? nothing : html`<div class="form-end check-file"><button type="button" class="primary" ?disabled=${problem !== undefined || file.rows === 0} @click=${() => start(true)}>${text('import.check')}</button></div>`}
    </section>
    ${run && !isSolved ? showRun(run, { file, importKind, listLink: link(`/${kind.many}`), write: () => start(false), stop: runs.stop }) : nothing}
    ${run && isWritten(run) && kind === contracts ? correct({ file, mapping: sent, read }) : nothing}`
  }

  function correct(imported: ImportedFile): TemplateResult {
    correction ??= createImportCorrection(imported, context)
    return correction.view()
  }

  return { isRunning, clear, guess, forgetAnswers: () => (answers = {}), view }
}

/** Finds figures of a row that differ from what Mint computes; undefined: no column has such figures. */
function comparison(mapping: Mapping, { sent, read }: Pick<Reading, 'sent' | 'read'>) {
  if (mapping.every((name, index) => name === sent[index])) return undefined
  return (row: ReadRow) => otherFigures(row, { mapping, read, decimals: amountDecimals() })
}

function askForReason(reason: string, changed: (reason: string) => void, document: ApiDocument): TemplateResult {
  return html`<div class="warning">
    <p>${text('import.reasonNeeded')}</p>
    ${showOverrideReason({ label: text('import.reasonLabel'), reason, changed }, document)}
  </div>`
}

/** Whether contracts may have to be corrected. */
const isWritten = ({ phase, state }: ImportRun): boolean => phase !== 'running' && state.written > 0

/** Whether rows are refused because the books are closed. */
const isInClosedTime = ({ phase, state }: ImportRun): boolean =>
  phase !== 'running' && state.wrong.some(({ code }) => code === 'period_closed')
