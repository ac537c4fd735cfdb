import { html, nothing, type TemplateResult } from 'lit-html'
import { explain } from '../api/explain.ts'
import { OVERRIDE_SCOPE, showReason } from '../closing/reason.ts'
import { createClientNames } from '../fields/client-names.ts'
import { type Field, recordFields } from '../fields/fields.ts'
import { dateProblem } from '../fields/input.ts'
import { showAmount } from '../fields/show.ts'
import { type FieldProblems, noteAsked, questionsAbout } from '../fields/texts.ts'
import { decimals } from '../format/formats.ts'
import { focusSoon } from '../frame/focus.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { habits, notationOf } from '../import/notations.ts'
import { parts, text } from '../languages/texts.ts'
import { showTable } from '../lists/table.ts'
import { contracts } from '../records/kinds.ts'
import { needsInput } from '../records/proposals.ts'
import { cellId, createCells } from './cells.ts'
import { createGridRows } from './grid-rows.ts'
import { cellsOf, pastedTexts } from './pasted.ts'
import { createRepeatMonth } from './repeat-month.ts'
import { addUpRows, isBlank, type Row } from './rows.ts'
import { createRowsSaver } from './save-rows.ts'

/** The page on which several contracts are entered at once, as in a spreadsheet. */
export function gridPage(context: PageContext): Page {
  const { document, link, go, update, hasScope } = context
  const fields = recordFields(document, contracts.schema, contracts.creation).filter(({ isGiven }) => isGiven)
  const names = createClientNames(context)
  const rows = createGridRows(fields, names, context)
  const saver = createRowsSaver(fields, rows.read, context)
  const cells = createCells({ fields, rows, names, problemsOf }, context)
  const repeatMonth = createRepeatMonth({ fields, names, entered: rows.filled, add: rows.add }, context)
  let [isNew, isTried, isSaved, overrideReason] = [true, false, false, '']
  /** What was typed when somebody was asked about it, and may keep it. */
  const asked = new Set<string>()
  /** What the last attempt to save asks about, by the id of the row, as its client may be found meanwhile. */
  let questions: ReadonlyMap<number, { readonly about: Row; readonly asks: FieldProblems }> = new Map()

  /** Of these, those about texts that the row still has. */
  function questionsOf(row: Row): FieldProblems {
    const { about, asks = {} } = questions.get(row.id) ?? {}
    return Object.fromEntries(Object.entries(asks).filter(([name]) => about?.texts[name] === row.texts[name]))
  }

  /** What the page itself finds wrong with a row. An empty cell is no problem until the user tries to save. */
  function ownProblems(row: Row): FieldProblems {
    const found = Object.entries(rows.read(row).problems).filter(([name]) => isTried || row.texts[name])
    const date = isTried ? dateProblem(cellId(row, 'serviceDate')) : ''
    return { ...questionsOf(row), ...(date && { serviceDate: date }), ...Object.fromEntries(found) }
  }

  function problemsOf(row: Row): FieldProblems {
    return isBlank(row) ? {} : { ...saver.problemsOf(row), ...ownProblems(row) }
  }

  const isRunning = () => saver.run()?.phase === 'running'

  async function save(): Promise<void> {
    // The names of their clients may have been found meanwhile.
    const filled = saver.isUnclear() ? saver.sent() : rows.filled()
    if (isRunning() || filled.length === 0) return
    isTried = true
    questions = new Map(
      filled.map((about) => [about.id, { about, asks: questionsAbout(fields, about.texts, { asked }) }]),
    )
    for (const { about, asks } of questions.values()) noteAsked(asked, about.texts, asks)
    const isReady = filled.every((row) => Object.keys(ownProblems(row)).length === 0)
    isSaved = isReady && (await saver.save(filled, overrideReason.trim()))
    const isChanged = filled.some((row) => !rows.all().includes(row))
    // Clients were found meanwhile, where Mint compares only whole names.
    if (!isSaved && isChanged && !saver.isUnclear() && saver.run()?.problem === undefined) return await save()
    if (isSaved) go('/contracts', text('grid.created', { count: filled.length }))
    else focusSoon('.grid [aria-invalid="true"], .grid-problem')
    update()
  }

  /** Enter moves to the next cell that needs input, and from a blank row to the button that saves. */
  function press(event: KeyboardEvent): void {
    const [at, column] = cells.at(event)
    const row = rows.all()[at]
    if (event.key !== 'Enter' || event.shiftKey || event.defaultPrevented || event.isComposing) return
    if (!row || column < 0) return
    event.preventDefault()
    if (event.ctrlKey || event.metaKey) void save()
    else if (isBlank(row) && (event.target as HTMLInputElement).value === '') focusSoon('.grid-end button')
    else moveOn(row, column)
  }

  function moveOn(row: Row, column: number): void {
    rows.leave(row, fields[column]?.name ?? '')
    const at = rows.all().findIndex(({ id }) => id === row.id)
    const [current = row, below] = rows.all().slice(at)
    const isPasted = ({ kind }: Field) => kind === 'client' && current.client !== ''
    const next = fields.slice(column).find((field) => needsInput(field, current) && !isPasted(field))
    if (next) cells.focus(current, next)
    else cells.focus(below, fields[0])
  }

  function paste(event: ClipboardEvent): void {
    const pasted = event.clipboardData?.getData('text/plain') ?? ''
    const [at, first] = cells.at(event)
    // Lines of a note, unless they are cells: a spreadsheet copies those as a table, too.
    const isTable = /<table/i.test(event.clipboardData?.getData('text/html') ?? '')
    const isNote = fields[first]?.kind === 'longText' && !isTable
    if (first < 0 || !(isNote ? /\t/ : /[\t\r\n]/).test(pasted)) return
    event.preventDefault()
    rows.paste(at, pastedTexts(cellsOf(pasted), { fields, first, notationOf, habits, decimals }))
  }

  function showOutcome(): TemplateResult | typeof nothing {
    const run = saver.run()
    const isWrong = isTried && rows.filled().some((row) => Object.keys(problemsOf(row)).length > 0)
    if (isRunning() || isSaved || (!isWrong && run?.problem === undefined)) return nothing
    const isClosed = run?.state.wrong.some(({ code }) => code === 'period_closed') === true
    const changed = (reason: string) => (overrideReason = reason)
    return html`<div class="problem grid-problem" role="alert" tabindex="-1">
      ${outcomeTexts().map((said) => html`<p>${said}</p>`)}
      ${isClosed && hasScope(OVERRIDE_SCOPE) ? showReason({ label: text('grid.overrideReason'), reason: overrideReason, changed }, document) : nothing}
    </div>`
  }

  /** What became of the rows, and why. */
  function outcomeTexts(): readonly string[] {
    const { problem, state } = saver.run() ?? {}
    if (!saver.isUnclear()) return [problem === undefined ? text('grid.notSaved') : explain(problem)]
    if (!state || state.mayBeMore) return [text('grid.unclear')]
    return [text('grid.someSaved', { count: state.written }), ...(problem === undefined ? [] : [explain(problem)])]
  }

  function showEnd(): TemplateResult {
    const filled = rows.filled()
    const { fee, total, billed } = addUpRows(filled.map(rows.read))
    const isProposing = filled.some(({ proposed }) => Object.keys(proposed).length > 0)
    const sums = { fee: html`<b>${showAmount(fee)}</b>`, total: html`<b>${showAmount(billed, total)}</b>` }
    return html`<div class="grid-end">
      <p><output>${parts('grid.sums', { count: filled.length, ...sums })}</output>
        ${isProposing ? html`<span class="proposed-fields">${text('grid.checkProposed')}</span>` : nothing}</p>
      <div><button type="button" class="primary" aria-keyshortcuts="Control+Enter" ?disabled=${isRunning()} @click=${save}>${text(isRunning() ? 'word.saving' : 'grid.saveAll')}</button>
        <a class="button" aria-keyshortcuts="Escape" href=${link('/contracts')}>${text('word.cancel')}</a></div>
    </div>`
  }

  function view(): TemplateResult {
    if (isNew) cells.focus(rows.all()[0], fields[0])
    isNew = false
    const isLocked = isRunning() || saver.isUnclear()
    const keys = html`<a href=${link('/help')}>${text('grid.allKeys')}</a>`
    return html`
      <fieldset class="plain-fieldset" ?disabled=${isLocked}>${repeatMonth.view()}</fieldset>
      <p class="hint">${parts('grid.hint', { keys })}</p>
      <fieldset class="grid" ?disabled=${isLocked} @keydown=${press} @paste=${paste} @focusin=${cells.focused}>
        ${showTable({ caption: text('grid.caption'), columns: cells.columns, rows: rows.all(), kind: 'entries' })}
      </fieldset>
      ${showOutcome()}
      ${showEnd()}`
  }

  return { title: () => text('grid.title'), hasUnsavedInput: () => !isSaved && rows.filled().length > 0, view }
}
