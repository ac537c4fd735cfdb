import { html, nothing, type TemplateResult } from 'lit-html'
import { explain, languageOf, violationsIn } from '../api/explain.ts'
import { hasCode, isRefused, isUncertain } from '../api/problem.ts'
import { createClientBox } from '../fields/client-box.ts'
import type { Field } from '../fields/fields.ts'
import { dateProblem, inputId, showInput } from '../fields/input.ts'
import { showAmount } from '../fields/show.ts'
import { type FieldProblems, noteAsked, questionsAbout, readTexts, type Texts } from '../fields/texts.ts'
import { focusSoon } from '../frame/focus.ts'
import { showViolations } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { parts, text } from '../languages/texts.ts'
import type { Assistance } from './assistance.ts'
import type { RecordKind } from './kinds.ts'
import { needsInput, release, typeInto, type WithProposals } from './proposals.ts'
import type { RecordWriting } from './writing.ts'

interface FormOptions {
  readonly writing: RecordWriting
  /** What the fields hold at first. */
  readonly texts: Texts
  /** The fields of the record that is edited; undefined: a new one is created. */
  readonly before: Texts | undefined
  /** What was kept from the record added before, for the same client only. */
  readonly kept?: Texts | undefined
  readonly submitLabel: string
  /** Finds what else is wrong with what was typed. */
  readonly check?: ((texts: Texts) => FieldProblems) | undefined
  /** Sends it. What it throws is shown. */
  readonly submit: Submit
  /** Sends it, then starts another record. */
  readonly submitAndAdd?: Submit | undefined
  readonly cancelLink: string
  readonly assistance?: Assistance | undefined
}

type Submit = (values: Readonly<Record<string, unknown>>) => Promise<void>

/** Creates a form that shows problems next to its fields, and keeps what was typed until it is saved. */
export function createForm(options: FormOptions, context: PageContext) {
  const { before, submit, submitAndAdd, submitLabel, cancelLink, assistance, kept = {}, check } = options
  const { kind, fields, names, warning } = options.writing
  const { update } = context
  const clientBox = createClientBox(context, names)
  const sending = createSending(context)
  const unchanged = before ?? options.texts
  let state: WithProposals = { texts: options.texts, proposed: {} }
  let problems: FieldProblems = {}
  let [isNew, isSaved] = [before === undefined, false]
  /** Whether it may be saved though no answer said so: then it can only be sent again as it is. */
  let isUnclear = false
  /** What was typed when somebody was asked about it, and may keep it. */
  const asked = new Set<string>()

  async function send(submitted: Submit): Promise<void> {
    if (sending.isRunning()) return
    const read = readTexts(fields, state.texts, { before })
    const questions = questionsAbout(fields, state.texts, { before, asked })
    problems = { ...questions, ...read.problems, ...dateProblemsOf(fields), ...check?.(state.texts) }
    noteAsked(asked, state.texts, questions)
    sending.clear()
    if (Object.keys(problems).length === 0) {
      const save = () => submitted(read.values).then(() => (isSaved = true))
      await sending.run(save, (error) => {
        isUnclear = isUncertain(error) || (isUnclear && !isRefused(error))
        problems = violationsOf(error, fields).inFields
      })
    }
    update()
    if (!isSaved) focusSoon('.form-problem')
  }

  function change(name: string, typed: string): void {
    state = typeInto(state, name, typed)
    if (name === 'clientId') state = release(state, kept)
    update()
  }

  /** Enter moves to the next field that needs input; where none does, the browser submits the form. */
  function press(event: KeyboardEvent): void {
    const input = event.target as HTMLElement
    if (event.key !== 'Enter' || event.defaultPrevented || event.isComposing) return
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault()
      void send(submitAndAdd ?? submit)
    } else if (input.tagName === 'INPUT') {
      const at = fields.findIndex(({ name }) => inputId(name) === input.id)
      const { name = '' } = fields[at] ?? {}
      // Moving on accepts what is proposed.
      if (name in state.proposed) change(name, state.texts[name] ?? '')
      const next = fields.slice(at + 1).find((field) => needsInput(field, state))
      if (next) event.preventDefault()
      if (next) focusSoon(`#${inputId(next.name)}`)
    }
  }

  function view(): TemplateResult {
    state = assistance?.propose(state) ?? state
    // The form of a new record has the focus, so that somebody can type at once.
    if (isNew) focusSoon(`#${inputId((fields.find((field) => needsInput(field, state)) ?? fields[0])?.name ?? '')}`)
    isNew = false
    const { texts, proposed } = state
    const [problem, isSending] = [sending.problem(), sending.isRunning()]
    const isLocked = isSending || isUnclear
    // The date that the record has, and the one that it would have.
    const days = [before?.serviceDate, texts.serviceDate].filter((day) => day !== undefined)
    const proposedLabels = fields.filter(({ name }) => name in proposed).map(({ label }) => label)
    const submitted = (event: Event) => {
      event.preventDefault()
      void send(submit)
    }
    return html`<form class="record-form" @submit=${submitted} @keydown=${press} novalidate>
      ${showProblems(fields, problems, problem)}
      ${warning(days, hasCode(problem, 'period_closed'))}
      <fieldset ?disabled=${isLocked}>${fields.map(showField)}</fieldset>
      ${showPreview(kind, texts)}
      ${proposedLabels.length === 0 ? nothing : html`<p class="proposed-fields">${text('records.checkProposed', { fields: proposedLabels.join(', ') })}</p>`}
      <div class="form-end">
        <button class="primary" ?disabled=${isSending}>${isSending ? text('word.saving') : submitLabel}</button>
        ${submitAndAdd ? html`<button type="button" aria-keyshortcuts="Control+Enter" ?disabled=${isSending} @click=${() => send(submitAndAdd)}>${text('records.saveAndAdd')}</button>` : nothing}
        <a class="button" aria-keyshortcuts="Escape" href=${cancelLink}>${text('word.cancel')}</a>
      </div>
    </form>`
  }

  function showField(field: Field): TemplateResult {
    const { name } = field
    const changed = (typed: string) => change(name, typed)
    return showInput(field, {
      value: state.texts[name] ?? '',
      problem: problems[name] ?? '',
      changed,
      clientBox,
      isNew: before === undefined,
      suggestions: assistance?.suggestionsFor(field, state) ?? [],
      remark: assistance?.remarkOn(field, state, changed),
      isProposed: name in state.proposed,
    })
  }

  return {
    view,
    texts: (): Texts => state.texts,
    /** As the button does. */
    submit: (): Promise<void> => send(submit),
    hasUnsavedInput: (): boolean =>
      !isSaved && fields.some(({ name }) => (state.texts[name] ?? '') !== (unchanged[name] ?? '')),
  }
}

/** The form of one record. */
export type RecordForm = ReturnType<typeof createForm>

function showProblems(
  fields: readonly Field[],
  problems: FieldProblems,
  problem: unknown,
): TemplateResult | typeof nothing {
  const wrong = fields.filter(({ name }) => problems[name] !== undefined)
  // The warning says that the books are closed; what the API says about it is for programs.
  if ((problem === undefined && wrong.length === 0) || hasCode(problem, 'period_closed')) return nothing
  const focus = (name: string) => document.getElementById(inputId(name))?.focus()
  return html`<div class="problem form-problem" role="alert" tabindex="-1">
    ${wrong.length > 0 ? html`<p>${text('records.needCorrecting', { count: wrong.length })}</p>` : html`<p lang=${languageOf(problem) ?? nothing}>${isUncertain(problem) ? text('records.uncertain') : explain(problem)}</p>`}
    ${showViolations(violationsOf(problem, fields).others)}
    ${wrong.length === 0 ? nothing : html`<ul>${wrong.map(({ name, label }) => html`<li>${parts('format.labelled', { label: html`<button type="button" class="plain" @click=${() => focus(name)}>${label}</button>`, value: problems[name] })}</li>`)}</ul>`}
  </div>`
}

function showPreview(kind: RecordKind, texts: Texts): TemplateResult | typeof nothing {
  const preview = kind.preview?.(texts)
  if (!preview) return nothing
  const { label, amount } = preview
  return html`<div class="preview"><label for="preview">${label}</label> <output id="preview">${amount === undefined ? '–' : showAmount(amount)}</output></div>`
}

function dateProblemsOf(fields: readonly Field[]): FieldProblems {
  const found = fields.map(({ name }) => [name, dateProblem(inputId(name))] as const)
  return Object.fromEntries(found.filter(([, problem]) => problem !== ''))
}

/** What the API found wrong, by the name of a field: in the fields of the form, and in what it has no field for. */
function violationsOf(error: unknown, fields: readonly Field[]) {
  const found = violationsIn(error)
  const isField = ([name]: readonly [string, string]) => fields.some((field) => field.name === name)
  return { inFields: Object.fromEntries(found.filter(isField)), others: found.filter((one) => !isField(one)) }
}
