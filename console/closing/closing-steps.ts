import { html, nothing, type TemplateResult } from 'lit-html'
import { hasCode, isUncertain } from '../api/problem.ts'
import { inputId } from '../fields/input.ts'
import { readTexts } from '../fields/texts.ts'
import { dayAfter } from '../format/calendar.ts'
import { dates } from '../format/formats.ts'
import { focusSoon } from '../frame/focus.ts'
import { type Loader, openLoader, showProblem } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { parts, text } from '../languages/texts.ts'
import type { Sums } from '../overview/sums.ts'
import { type Closing, LAST_DAY } from './closing.ts'
import { type Draft, draftOver, newDraft, showClosingForm, showConfirmation } from './closing-form.ts'
import { reasonField } from './reason.ts'

/** The closing at one version. */
export interface ClosingVersion {
  readonly closing: Closing
  readonly etag: string
}

/** What is to be confirmed, and the version that it was drafted over. */
interface ToConfirm extends Pick<ClosingVersion, 'etag'> {
  readonly draft: Draft
  /** The contracts between the current closing and the new one. */
  readonly affected: Loader<Sums>
}

/**
 * The steps of closing a month or reopening it: what and why, what that means, then it is saved. `reload` fetches the
 * current closing.
 */
export function createClosingSteps(reload: () => Promise<void>, context: PageContext) {
  const { api, document, query, setQuery, update, announce } = context
  const saving = createSending(context)
  let draft: Draft | undefined
  let toConfirm: ToConfirm | undefined
  let reasonProblem = ''

  function begin(type: Draft['type'], { closing }: ClosingVersion): void {
    // What will be confirmed concerns all closings, not the chosen one.
    if (query().since !== undefined) setQuery({ since: undefined }, 'replace')
    draft = newDraft(type, closing.closedThrough)
    saving.clear()
    go(undefined)
  }

  /** Goes to the form, to its confirmation or, without a draft, to the beginning, and the focus with it. */
  function go(next: ToConfirm | undefined): void {
    toConfirm = next
    update()
    focusSoon('#step, .closing-actions>button')
  }

  function change(next: Draft | undefined): void {
    draft = next
    reasonProblem = ''
    update()
  }

  function proceed(draft: Draft, version: ClosingVersion): void {
    saving.clear()
    const { reason } = draft
    const read = readTexts([reasonField(document)], { reason }, { before: undefined })
    reasonProblem = read.problems.reason ?? ''
    if (reasonProblem === '') {
      go({ ...version, draft, affected: openAffected(draft, version.closing) })
      return
    }
    update()
    focusSoon(`#${inputId('reason')}`)
  }

  function openAffected({ type, closedThrough }: Draft, before: Closing): Loader<Sums> {
    const [from, to] = type === 'close' ? [before.closedThrough, closedThrough] : [closedThrough, before.closedThrough]
    const filters = { serviceDateFrom: from === null ? undefined : dayAfter(from), serviceDateTo: to ?? undefined }
    const load = async (signal: AbortSignal) => (await api.get('reports/contracts', { query: filters, signal })).sums
    return openLoader<Sums>(load, context)
  }

  async function save({ draft: { closedThrough, reason }, etag }: ToConfirm): Promise<void> {
    const send = async () => {
      await api.request('PUT', 'closing', { body: { closedThrough, reason }, headers: { 'If-Match': etag } })
      draft = undefined
      const isOpen = closedThrough === null
      announce(isOpen ? text('closing.isOpen') : text('closing.isClosedThrough', { date: dates.date(closedThrough) }))
      await reload()
    }
    // Whatever happened in between is shown before anything is sent again.
    await saving.run(send, (error) => (hasCode(error, 'precondition_failed') || isUncertain(error)) && reload())
    go(undefined)
  }

  function step(version: ClosingVersion): TemplateResult {
    const shown = toConfirm
    if (shown) {
      const [confirm, back, isSending] = [() => void save(shown), () => go(undefined), saving.isRunning()]
      return showConfirmation({ ...shown, isSending, confirm, back })
    }
    const { closedThrough } = version.closing
    draft = draft && draftOver(draft, closedThrough)
    if (!draft) return showBeginning(version, (type) => begin(type, version), context)
    const submit = () => draft && proceed(draft, version)
    const cancel = () => {
      change(undefined)
      focusSoon('.closing-actions>button')
    }
    return showClosingForm({ draft, closedThrough, problem: reasonProblem, changed: change, submit, cancel }, context)
  }

  return {
    view: (version: ClosingVersion) => html`${saving.view(showSaveProblem)}${step(version)}`,
    hasUnsavedInput: () => draft !== undefined && draft.reason !== '',
  }
}

function showBeginning(
  { closing: { closedThrough } }: ClosingVersion,
  begin: (type: Draft['type']) => void,
  { document, may }: PageContext,
): TemplateResult {
  if (!may('/closing', 'PUT')) {
    const scope = html`<code>${document.scopesOf('/closing', 'PUT')}</code>`
    return html`<p class="quiet">${parts('closing.scopeNeeded', { scope })}</p>`
  }
  return html`<div class="form-end closing-actions">
    ${closedThrough === LAST_DAY ? nothing : html`<button type="button" class="primary" @click=${() => begin('close')}>${text('closing.closeMonth')}</button>`}
    ${closedThrough === null ? nothing : html`<button type="button" @click=${() => begin('open')}>${text('closing.openAgain')}</button>`}
  </div>`
}

function showSaveProblem(problem: unknown): TemplateResult {
  const isOvertaken = hasCode(problem, 'precondition_failed')
  if (!isOvertaken && !isUncertain(problem)) return showProblem(problem)
  return html`<div class="problem" role="alert"><p>${text(isOvertaken ? 'closing.overtaken' : 'closing.uncertain')}</p></div>`
}
