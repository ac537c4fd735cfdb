import { html, nothing, type TemplateResult } from 'lit-html'
import { ApiProblem, isUncertain } from '../api/problem.ts'
import { dates } from '../format/formats.ts'
import { createLoader, showLoaded, showProblem } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createChanges } from './changes.ts'
import type { Closing, ClosingEvent } from './closing.ts'
import { type Draft, newDraft, showClosingForm } from './closing-form.ts'
import { fetchClosings } from './closings.ts'
import { createConfirmation } from './confirm-closing.ts'

interface Loaded {
  readonly closing: Closing
  readonly etag: string
  /** Newest first. */
  readonly history: readonly ClosingEvent[]
}

/** Through when the books are closed, why and by whom; to close a month, or to open it again. */
export function closingPage(context: PageContext): Page {
  const { api, update, announce } = context
  const changes = createChanges(context)
  const loader = createLoader<Loaded>(load, context)
  let draft: Draft | undefined
  let confirmation: ReturnType<typeof createConfirmation> | undefined
  let [isSending, reasonProblem] = [false, '']
  let problem: unknown
  void loader.load()

  async function load(signal: AbortSignal): Promise<Loaded> {
    const [{ body, etag = '' }, history] = await Promise.all([
      api.get('closing', { signal }),
      fetchClosings(api, signal),
    ])
    changes.load(body)
    return { closing: body, etag, history: history.toReversed() }
  }

  function begin(type: Draft['type'], { closing }: Loaded): void {
    draft = newDraft(type, closing.closedThrough)
    problem = undefined
    show(undefined)
  }

  /** Goes to a step, and the focus with it. */
  function show(step: typeof confirmation): void {
    confirmation = step
    update()
    queueMicrotask(() => document.getElementById('step')?.focus())
  }

  function cancel(): void {
    draft = undefined
    reasonProblem = ''
    update()
  }

  function proceed(draft: Draft, loaded: Loaded): void {
    reasonProblem = draft.reason.trim() === '' ? 'Enter the reason.' : ''
    if (reasonProblem !== '') {
      update()
      queueMicrotask(() => document.getElementById('reason')?.focus())
      return
    }
    problem = undefined
    const options = {
      draft,
      closing: loaded.closing,
      changes: changes.view,
      isSending: () => isSending,
      confirm: () => void save(draft, loaded),
      back: () => show(undefined),
    }
    show(createConfirmation(options, context))
  }

  async function save({ closedThrough, reason }: Draft, { etag }: Loaded): Promise<void> {
    isSending = true
    problem = undefined
    update()
    try {
      await api.request('PUT', 'closing', { body: { closedThrough, reason }, headers: { 'If-Match': etag } })
      draft = undefined
      announce(
        closedThrough === null ? 'The books are open.' : `The books are closed through ${dates.date(closedThrough)}.`,
      )
      await loader.load()
    } catch (error) {
      problem = error
      // Whatever happened in between is shown before anything is sent again.
      if (isOverwriting(error) || isUncertain(error)) await loader.load()
    }
    isSending = false
    show(undefined)
  }

  function view(loaded: Loaded): TemplateResult {
    const { closing, history } = loaded
    return html`
      ${showState(closing)}
      ${problem === undefined ? nothing : showSaveProblem(problem)}
      ${step(loaded)}
      ${closing.closedThrough === null || confirmation ? nothing : html`<section aria-labelledby="changes"><h2 id="changes">Changed since the books were closed</h2>${changes.view()}</section>`}
      ${history.length === 0 ? nothing : showHistory(history)}
    `
  }

  function step(loaded: Loaded): TemplateResult {
    const { closedThrough } = loaded.closing
    if (confirmation) return confirmation.view()
    if (!draft) {
      return html`<div class="form-end closing-actions">
        <button type="button" class="primary" @click=${() => begin('close', loaded)}>Close a month…</button>
        ${closedThrough === null ? nothing : html`<button type="button" @click=${() => begin('open', loaded)}>Open again…</button>`}
      </div>`
    }
    const current = draft
    const changed = (next: Draft) => {
      draft = next
      reasonProblem = ''
      update()
    }
    const submit = () => proceed(current, loaded)
    return showClosingForm({ draft, closedThrough, problem: reasonProblem, changed, submit, cancel }, context)
  }

  return {
    title: () => 'Closing',
    view: () => showLoaded(loader, view),
    hasUnsavedInput: () => draft !== undefined && draft.reason !== '',
  }
}

const isOverwriting = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'precondition_failed'

function showSaveProblem(problem: unknown): TemplateResult {
  if (isOverwriting(problem)) {
    return html`<div class="problem" role="alert"><p>Nothing was saved: somebody else has changed the closing in the meantime. What is shown now is theirs; check it, then continue.</p></div>`
  }
  if (isUncertain(problem)) {
    return html`<div class="problem" role="alert"><p>No answer came, so it may be saved already. What is shown now is how it is; check it, then continue.</p></div>`
  }
  return showProblem(problem)
}

function showState({ closedThrough, reason, at, by, byName }: Closing): TemplateResult {
  const who = html`<bdi>${byName ?? by}</bdi>, <time datetime=${at ?? ''} title=${at ?? ''}>${dates.moment(at ?? '')}</time>`
  if (at === null) return html`<p class="closing-state"><b>The books are open.</b> Nothing was closed so far.</p>`
  return html`<div class="closing-state">
    <p class="closed-through">${closedThrough === null ? 'The books are open.' : html`The books are closed through <time datetime=${closedThrough}>${dates.date(closedThrough)}</time>.`}</p>
    <p><bdi>${reason}</bdi> <span class="quiet">(${who})</span></p>
  </div>`
}

function showHistory(history: readonly ClosingEvent[]): TemplateResult {
  const row = ({ closedThrough, reason, at, by, byName }: ClosingEvent) => html`<tr>
    <th scope="row" data-label="Closed through">${closedThrough === null ? 'open' : html`<time datetime=${closedThrough}>${dates.date(closedThrough)}</time>`}</th>
    <td data-label="Reason"><bdi>${reason}</bdi></td>
    <td data-label="By"><bdi>${byName ?? by}</bdi></td>
    <td class="moment" data-label="At"><time datetime=${at} title=${at}>${dates.moment(at)}</time></td>
  </tr>`
  return html`<section aria-labelledby="closings">
    <h2 id="closings">History</h2>
    <div class="table-box"><table class="records">
      <caption class="visually-hidden">Every closing, newest first</caption>
      <thead><tr><th scope="col">Closed through</th><th scope="col">Reason</th><th scope="col">By</th><th scope="col">At</th></tr></thead>
      <tbody>${history.map(row)}</tbody>
    </table></div>
  </section>`
}
