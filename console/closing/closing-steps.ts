import { html, nothing, type TemplateResult } from 'lit-html'
import { ApiProblem, isUncertain } from '../api/problem.ts'
import { dates } from '../format/formats.ts'
import { showProblem } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import type { Closing } from './closing.ts'
import { type Draft, draftOver, newDraft, showClosingForm } from './closing-form.ts'
import { createConfirmation } from './confirm-closing.ts'

/** The closing at one version. */
export interface ClosingVersion {
  readonly closing: Closing
  readonly etag: string
}

interface StepsOptions {
  /** What has changed in the closed time. */
  readonly changes: () => TemplateResult
  /** Fetches the closing as it is now. */
  readonly reload: () => Promise<void>
}

/** The steps of closing a month or opening it again: what and why, what that means, then it is saved. */
export function createClosingSteps({ changes, reload }: StepsOptions, context: PageContext) {
  const { api, document: description, update, announce, may } = context
  let draft: Draft | undefined
  let confirmation: ReturnType<typeof createConfirmation> | undefined
  let [isSending, reasonProblem] = [false, '']
  let problem: unknown

  function begin(type: Draft['type'], { closing }: ClosingVersion): void {
    draft = newDraft(type, closing.closedThrough)
    problem = undefined
    go(undefined)
  }

  /** Goes to a step, and the focus with it. */
  function go(step: typeof confirmation): void {
    confirmation = step
    update()
    queueMicrotask(() => document.getElementById('step')?.focus())
  }

  function change(next: Draft | undefined): void {
    draft = next
    reasonProblem = ''
    update()
  }

  function proceed(draft: Draft, version: ClosingVersion): void {
    problem = undefined
    reasonProblem = draft.reason.trim() === '' ? 'Enter the reason.' : ''
    if (reasonProblem !== '') {
      update()
      queueMicrotask(() => document.getElementById('reason')?.focus())
      return
    }
    const options = {
      draft,
      closing: version.closing,
      changes,
      isSending: () => isSending,
      confirm: () => void save(draft, version.etag),
      back: () => go(undefined),
    }
    go(createConfirmation(options, context))
  }

  async function save({ closedThrough, reason }: Draft, etag: string): Promise<void> {
    isSending = true
    problem = undefined
    update()
    try {
      await api.request('PUT', 'closing', { body: { closedThrough, reason }, headers: { 'If-Match': etag } })
      draft = undefined
      announce(
        closedThrough === null ? 'The books are open.' : `The books are closed through ${dates.date(closedThrough)}.`,
      )
      await reload()
    } catch (error) {
      problem = error
      // Whatever happened in between is shown before anything is sent again.
      if (isOverwriting(error) || isUncertain(error)) await reload()
    }
    isSending = false
    go(undefined)
  }

  function step(version: ClosingVersion): TemplateResult {
    const { closedThrough } = version.closing
    if (confirmation) return confirmation.view()
    draft = draft && draftOver(draft, closedThrough)
    if (draft) {
      const submit = () => draft && proceed(draft, version)
      const options = {
        draft,
        closedThrough,
        problem: reasonProblem,
        changed: change,
        submit,
        cancel: () => change(undefined),
      }
      return showClosingForm(options, context)
    }
    if (!may('/closing', 'PUT')) {
      return html`<p class="quiet">Closing a month or opening it again requires a key with the scope <code>${description.scopeOf('/closing', 'PUT')}</code>.</p>`
    }
    return html`<div class="form-end closing-actions">
      ${closedThrough === LAST_DAY ? nothing : html`<button type="button" class="primary" @click=${() => begin('close', version)}>Close a month…</button>`}
      ${closedThrough === null ? nothing : html`<button type="button" @click=${() => begin('open', version)}>Open again…</button>`}
    </div>`
  }

  return {
    view: (version: ClosingVersion) =>
      html`${problem === undefined ? nothing : showSaveProblem(problem)}${step(version)}`,
    isConfirming: () => confirmation !== undefined,
    hasUnsavedInput: () => draft !== undefined && draft.reason !== '',
  }
}

/** The last one that the API takes: with it, everything is closed. */
const LAST_DAY = '9999-12-31'

const isOverwriting = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'precondition_failed'

function showSaveProblem(problem: unknown): TemplateResult {
  if (isOverwriting(problem)) {
    return html`<div class="problem" role="alert"><p>Nothing was saved: somebody else has changed the closing in the meantime. What is shown now is theirs; check it, then continue.</p></div>`
  }
  if (isUncertain(problem)) {
    return html`<div class="problem" role="alert"><p>No answer came, so it may be saved already. What is shown now is its current state; check it, then continue.</p></div>`
  }
  return showProblem(problem)
}
