import { html, nothing, type TemplateResult } from 'lit-html'
import { showInput } from '../fields/input.ts'
import { showAmount } from '../fields/show.ts'
import { dayAfter, lastDayOf } from '../format/calendar.ts'
import { dayOf } from '../format/dates.ts'
import { dates } from '../format/formats.ts'
import { type Loader, showLoaded } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import type { Sums } from '../overview/sums.ts'
import { daysToReopen, monthsToClose } from './choices.ts'
import { reasonField } from './reason.ts'

/** What is to be closed, or reopened. */
export interface Draft {
  readonly type: 'close' | 'open'
  /** The books are to be closed through this day; null: open. */
  readonly closedThrough: string | null
  readonly reason: string
}

/** The draft that is suggested at first. */
export function newDraft(type: Draft['type'], closedThrough: string | null, today = dayOf(new Date())): Draft {
  const suggested =
    type === 'close'
      ? lastDayOf(monthsToClose(closedThrough, today).suggested)
      : daysToReopen(closedThrough ?? today)[0]
  return { type, closedThrough: suggested ?? null, reason: '' }
}

/**
 * The same for books that may have been closed or reopened since, by somebody else or by a request without an answer.
 * undefined: they are as drafted, or nothing is left to reopen.
 */
export function draftOver(draft: Draft, closedThrough: string | null): Draft | undefined {
  if (draft.closedThrough === closedThrough) return undefined
  if (choicesOf(draft, closedThrough).some(([value]) => value === (draft.closedThrough ?? ''))) return draft
  if (draft.type === 'open' && closedThrough === null) return undefined
  return { ...newDraft(draft.type, closedThrough), reason: draft.reason }
}

interface FormOptions {
  readonly draft: Draft
  /** As the books are now. */
  readonly closedThrough: string | null
  /** What is wrong with the reason; '' if nothing. */
  readonly problem: string
  readonly changed: (draft: Draft) => void
  readonly submit: () => void
  readonly cancel: () => void
}

/** The first step of closing or opening the books: through when, and why. */
export function showClosingForm(options: FormOptions, { document }: PageContext): TemplateResult {
  const { draft, closedThrough, problem, changed, submit, cancel } = options
  const isClosing = draft.type === 'close'
  const choose = (event: Event) =>
    changed({ ...draft, closedThrough: (event.target as HTMLSelectElement).value || null })
  const submitted = (event: Event) => {
    event.preventDefault()
    submit()
  }
  return html`<form class="closing-form" @submit=${submitted} novalidate>
    <h2 id="step" tabindex="-1">${text(isClosing ? 'closing.close' : 'closing.open')}</h2>
    <div class="field">
      <label for="closed-through">${text(isClosing ? 'closing.closeThrough' : 'closing.leaveClosedThrough')}</label>
      <select id="closed-through" @change=${choose}>
        ${choicesOf(draft, closedThrough).map(([day, label]) => html`<option value=${day} ?selected=${day === (draft.closedThrough ?? '')}>${label}</option>`)}
      </select>
    </div>
    ${showInput(reasonField(document), {
      value: draft.reason,
      problem,
      changed: (reason) => changed({ ...draft, reason }),
      isNew: false,
    })}
    <div class="form-end">
      <button class="primary">${text('closing.continue')}</button>
      <button type="button" @click=${cancel}>${text('word.cancel')}</button>
    </div>
  </form>`
}

function choicesOf({ type }: Draft, closedThrough: string | null): readonly (readonly [string, string])[] {
  const today = dayOf(new Date())
  if (type === 'close') {
    const { months } = monthsToClose(closedThrough, today)
    return months.map((month) => [lastDayOf(month), dates.month(month)])
  }
  const days = daysToReopen(closedThrough ?? today).map((day) => [day, dates.date(day)] as const)
  return [...days, ['', text('closing.noDay')]]
}

interface ConfirmOptions {
  readonly draft: Draft
  /** The contracts between the current closing and the new one. */
  readonly affected: Loader<Sums>
  readonly isSending: boolean
  readonly confirm: () => void
  readonly back: () => void
}

/** The second step: what it means. */
export function showConfirmation({ draft, affected, isSending, confirm, back }: ConfirmOptions): TemplateResult {
  const { type, closedThrough, reason } = draft
  const affectedText = ({ count, billed }: Sums) =>
    html`<p>${parts(type === 'close' ? 'closing.closes' : 'closing.opens', { count, amount: showAmount(billed) })}</p>`
  return html`<section class="confirmation" aria-labelledby="step">
    <h2 id="step" tabindex="-1">${text('closing.question', { action: action(draft) })}</h2>
    ${showLoaded(affected, affectedText)}
    <p>${meaning(draft)}</p>
    ${isRunning(draft) ? html`<p class="warning">${text('closing.isRunning', { date: dates.date(closedThrough ?? '') })}</p>` : nothing}
    <p>${parts('format.labelled', { label: text('field.reason'), value: html`<bdi>${reason}</bdi>` })}</p>
    <div class="form-end">
      <button type="button" class="primary" @click=${confirm} ?disabled=${isSending}>${isSending ? text('word.saving') : action(draft)}</button>
      <button type="button" @click=${back} ?disabled=${isSending}>${text('closing.back')}</button>
    </div>
  </section>`
}

/** Whether days are closed that are still to come. */
function isRunning({ type, closedThrough }: Draft): boolean {
  return type === 'close' && closedThrough !== null && closedThrough >= dayOf(new Date())
}

function action({ type, closedThrough }: Draft): string {
  if (closedThrough === null) return text('closing.openEverything')
  if (type === 'close') return text('closing.closeThroughDay', { date: dates.date(closedThrough) })
  return text('closing.openFromDay', { date: dates.date(dayAfter(closedThrough)) })
}

function meaning({ type, closedThrough }: Draft): string {
  if (closedThrough === null) return text('closing.openAllMeans')
  return text(type === 'close' ? 'closing.closeMeans' : 'closing.openMeans', { date: dates.date(closedThrough) })
}
